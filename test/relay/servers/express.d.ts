// What the test needs of a package that brings no types.
declare module "express" {
  import type { RequestListener } from "node:http";

  type Application = RequestListener & { all(path: string, handler: unknown): void };
  export default function express(): Application;
}
