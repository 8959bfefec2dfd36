import { defineBankLogin } from "./index.ts";

// A page without a bundler names the file, and has the tag.
defineBankLogin();
