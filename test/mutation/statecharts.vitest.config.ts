import { createConfig } from "./config.ts";

// A statechart is created when its module is loaded, so each of its mutants can fail any test. Few tests run: the contract's tables.
export default createConfig({
  include: ["test/machines/tables.test.ts", "test/machines/{cancelling,definition,faults,time-to-answer}.test.ts"],
});
