import { createConfig } from "./config.ts";

// The tests of the runner, of pausing and of forms. Not those that take seconds because they fill limits or start processes.
export default createConfig({
  include: ["test/core/{login,pause,tokens,view}/**/*.test.ts"],
  exclude: ["login/crowd", "tokens/{folder,sealed-token.property}", "view/{link-view,search}"].map(
    (name) => `test/core/${name}.test.ts`,
  ),
});
