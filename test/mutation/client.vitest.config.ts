import { createConfig } from "./config.ts";

// The client's own tests: others would only repeat their verdict, and each mutant that survives would run them all. Not those that read
// megabytes, and not a property that kills no mutant of its own.
export default createConfig({
  include: ["test/api/**/*.test.ts", "test/leaks/handlers.test.ts"],
  exclude: ["test/api/large-responses.test.ts", "test/api/reader.property.test.ts"],
  testTimeout: 5000,
});
