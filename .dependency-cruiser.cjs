// Built with the packages that they import inside, or a part of the build.
const BUNDLED = "^src/(programs/(cli|mcp)/|tools/inspect/(server/inspect-login|viewer/(chart-layout|drawing))\\.ts$)";

/** What a room of `src` may import, beside itself and the statecharts. */
const rooms = {
  core: [],
  tools: ["core"],
  screens: ["core", "tools"],
  servers: ["core", "tools"],
  programs: ["core", "tools", "screens", "servers", "index\\.ts"],
};

/** What a folder of the core may import, beside itself. */
const coreLayers = {
  api: [],
  texts: ["api"],
  tokens: ["api"],
  http: ["api"],
  login: ["api", "texts", "tokens"],
  batch: ["api", "tokens", "login"],
  link: ["api", "texts", "tokens", "login"],
  view: ["api", "texts", "tokens", "login", "link"],
};

// What an application installs beside the package, where it uses it.
const peers = Object.keys(require("./package.json").peerDependencies);
const frameworks = peers.filter(
  (name) => !/^(xstate|@xstate\/graph|@opentelemetry\/.*|@statelyai\/.*|@restatedev\/.*)$/.test(name),
);

/** The directions of imports: machines ← core ← tools ← screens, servers ← programs; types included. */
module.exports = {
  forbidden: [
    { name: "no-circles", severity: "error", from: {}, to: { circular: true } },
    {
      name: "machines-import-xstate-and-each-other",
      comment: "Type-only imports included.",
      severity: "error",
      from: { path: "^machines/" },
      to: { pathNot: "^(machines/|node_modules/xstate/)" },
    },
    ...Object.entries(rooms).map(([room, below]) => ({
      name: `${room}-imports-what-lies-below`,
      severity: "error",
      from: { path: `^src/${room}/` },
      to: { path: `^src/(?!(${[room, ...below].join("|")})(/|$))` },
    })),
    ...Object.entries(coreLayers).map(([folder, below]) => ({
      name: `core-${folder}-imports-what-lies-below`,
      severity: "error",
      from: { path: `^src/core/${folder}/` },
      to: { path: `^src/core/(?!(${[folder, ...below].join("|")})/)` },
    })),
    {
      name: "trace-imports-the-client-alone",
      comment: "What may be seen of a login is decided in one place, under inspection and telemetry.",
      severity: "error",
      from: { path: "^src/tools/trace/" },
      to: { path: "^src/(?!tools/trace/|core/api/)" },
    },
    {
      name: "a-tool-imports-trace-alone-of-the-tools",
      severity: "error",
      from: { path: "^src/tools/(inspect|telemetry)/" },
      to: { path: "^src/tools/(?!$1/|trace/)" },
    },
    {
      name: "api-knows-no-statechart",
      comment:
        "The client works without xstate. What a statechart keeps of it, a secret or a failure, is declared beside the statechart.",
      severity: "error",
      from: { path: "^src/core/api/" },
      to: { path: "^(machines/(?!(login|provider)\\.types\\.ts$)|node_modules/xstate/)" },
    },
    {
      name: "tokens-know-no-statechart",
      severity: "error",
      from: { path: "^src/core/tokens/" },
      to: { path: "^(machines/|node_modules/xstate/)" },
    },
    {
      name: "stores-come-by-their-own-entry",
      comment: "A browser that loads the core loads no file system.",
      severity: "error",
      from: { path: "^src/", pathNot: "^src/(core/tokens|programs/cli)/" },
      to: { path: "^src/core/tokens/(index|folder-stores|postgres-stores|redis-stores)\\.ts$" },
    },
    {
      name: "jose-is-loaded-when-a-token-is-sealed-or-opened",
      comment: "It takes longer to load than the rest of the library.",
      severity: "error",
      from: { path: "^src/" },
      to: { path: "^node_modules/jose/", dynamic: false, dependencyTypesNot: ["type-only"] },
    },
    {
      name: "sandbox-shares-only-the-contract",
      comment:
        "What the sandbox and the client shared, the tests could not see. What serves node:http and the class of errors are of neither.",
      severity: "error",
      from: { path: "^src/tools/sandbox/" },
      to: { path: "^(src/(?!tools/sandbox/|core/http/|core/api/errors\\.ts$)|machines/)" },
    },
    {
      name: "secrets-open-in-few-places",
      comment: "Whoever reviews where secrets are opened has one folder and a few files to read.",
      severity: "error",
      from: {
        pathNot:
          "^(src/core/api/|src/index\\.ts$|src/core/login/(credentials|paused-token)\\.ts$|src/core/view/kept-login\\.ts$|src/servers/relay/submits\\.ts$|src/servers/kept/bank-calls\\.ts$|src/servers/restate/durable-seals\\.ts$|src/screens/element/field-templates\\.ts$)",
        path: "^src/",
      },
      to: { path: "^src/core/api/reveal\\.ts$" },
    },
    {
      name: "a-framework-stays-in-its-adapter",
      comment: "Whoever uses one framework installs no other.",
      severity: "error",
      from: { path: "^src/", pathNot: "^src/screens/" },
      to: { path: `^node_modules/(${frameworks.join("|")})/` },
    },
    {
      name: "opentelemetry-stays-in-its-bridge",
      comment: "The command loads the bridge if an SDK is registered.",
      severity: "error",
      from: {
        path: "^src/",
        pathNot:
          "^src/(tools/telemetry/opentelemetry/|programs/cli/(registered-telemetry|serve/prometheus-server)\\.ts$)",
      },
      to: { path: "^(node_modules/@opentelemetry/|src/tools/telemetry/opentelemetry/)" },
    },
    {
      name: "only-testing-and-trace-look-into-a-definition",
      severity: "error",
      from: { path: "^src/", pathNot: "^src/tools/(testing|trace)/" },
      to: { path: "^(node_modules/@xstate/graph/|src/tools/trace/definition\\.ts$)" },
    },
    {
      name: "what-an-application-imports-is-core",
      severity: "error",
      from: { path: "^src/index\\.ts$" },
      to: { path: "^src/(?!core/)" },
    },
    {
      name: "source-imports-no-tests",
      severity: "error",
      from: { path: "^(src|machines)/" },
      to: { path: "^(test|docs)/" },
    },
    {
      name: "no-undeclared-packages",
      severity: "error",
      from: { path: "^(src|machines)/", pathNot: BUNDLED },
      to: {
        dependencyTypes: ["npm-no-pkg", "npm-unknown", "unknown", "npm-dev", "undetermined"],
        couldNotResolve: false,
        // Peers are installed for the tests as well.
        pathNot: `^node_modules/(${peers.join("|")})/`,
      },
    },
    {
      name: "what-is-bundled-comes-from-development-packages",
      comment: "Nobody who installs the library installs what its build puts into it.",
      severity: "error",
      from: { path: BUNDLED },
      to: { dependencyTypes: ["npm-no-pkg", "npm-unknown", "unknown", "undetermined"] },
    },
    { name: "resolvable", severity: "error", from: {}, to: { couldNotResolve: true } },
    {
      name: "no-orphans",
      severity: "error",
      from: { orphan: true, path: "^(src|machines)/", pathNot: "(\\.d\\.ts$)" },
      to: {},
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    // They build the sources beside them and are no part of these.
    exclude: { path: "^src/(build\\.mjs|bundled-packages\\.ts|small-styles\\.ts|.*vite\\.config\\.ts)$" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "node", "default", "types"] },
  },
};
