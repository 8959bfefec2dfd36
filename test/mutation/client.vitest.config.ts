import { createConfig } from "./config.ts";

// The client's own tests: others would only repeat their verdict, and each mutant that survives would run them all. Not those that read
// megabytes, and not a property that kills no mutant of its own.
export default createConfig({
  include: ["test/core/api/**/*.test.ts", "test/leaks/handlers.test.ts"],
  exclude: ["test/core/api/large-responses.test.ts", "test/core/api/reader.property.test.ts"],
  testTimeout: 5000,
});
