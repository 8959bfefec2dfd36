import { readFile } from "node:fs/promises";
import { type Tool as ListedTool, SUPPORTED_PROTOCOL_VERSIONS } from "@modelcontextprotocol/server";
import { expect, test } from "vitest";
import { createTools } from "../../../src/programs/mcp/mcp-server.ts";
import { toListedTool } from "../../../src/programs/mcp/tool.ts";

const page = await readFile(new URL("../../../docs/mcp.md", import.meta.url), "utf8");

test("docs/mcp.md names each tool, its arguments and what it gives", () => {
  const tools = createTools({} as never).map((tool) => toListedTool(tool, "en"));
  const formatMembers = ({ properties = {}, required = [] }: Partial<ListedTool["inputSchema"]>) =>
    Object.keys(properties).map((name) => `\`${name}\`${required.includes(name) ? "" : "?"}`);
  expect(tools).toHaveLength(5);
  for (const { name, inputSchema, outputSchema } of tools) {
    const [, input = "", output = ""] = new RegExp(`^\\| \`${name}\` \\| (.*?) \\| (.*?) \\|`, "m").exec(page) ?? [];
    expect(input).toBe(formatMembers(inputSchema).join(", "));
    if (name === "end_bank_session") expect(output).toBe("that of `read_bank_login`");
    else for (const member of formatMembers(outputSchema ?? {})) expect(output).toContain(member);
  }
});

test("docs/mcp.md names the versions of the protocol that are served", () => {
  expect(page.match(/\b20\d\d-\d\d-\d\d\b/g)?.slice(0, 6)).toEqual(["2026-07-28", ...SUPPORTED_PROTOCOL_VERSIONS]);
});
