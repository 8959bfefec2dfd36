// Built with the packages that they import inside.
const BUNDLED = "^src/(cli/|api/send\\.ts$|inspect/server/inspect-login\\.ts$)";

/** What a folder of `src` may import, beside itself. */
const layers = {
  texts: ["api"],
  tokens: ["api"],
  login: ["api", "texts", "tokens"],
  link: ["api", "texts", "tokens", "login"],
  view: ["api", "texts", "tokens", "login", "link"],
  // What may be seen of a login is decided in one place, under inspection and telemetry.
  http: ["api"],
  trace: ["api"],
  inspect: ["api", "http", "trace"],
  telemetry: ["api", "login", "link", "view", "trace"],
};

// What an application installs beside the package, where it uses it.
const peers = Object.keys(require("./package.json").peerDependencies);
const frameworks = peers.filter(
  (name) => !/^(xstate|@xstate\/graph|@opentelemetry\/.*|@statelyai\/.*|@restatedev\/.*)$/.test(name),
);

/** The directions of imports: machines ← api ← tokens ← login ← link ← view ← surfaces ← cli; types included. */
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
    {
      name: "api-knows-no-statechart",
      comment:
        "The client works without xstate. What a statechart keeps of it, a secret or a failure, is declared beside the statechart.",
      severity: "error",
      from: { path: "^src/api/" },
      to: { path: "^(machines/(?!login\\.types\\.ts$)|src/(?!api/)|node_modules/xstate/)" },
    },
    ...Object.entries(layers).map(([folder, below]) => ({
      name: `${folder}-imports-what-lies-below`,
      severity: "error",
      from: { path: `^src/${folder}/` },
      to: { path: `^src/(?!(${[folder, ...below].join("|")})/)` },
    })),
    {
      name: "tokens-know-no-statechart",
      severity: "error",
      from: { path: "^src/tokens/" },
      to: { path: "^(machines/|node_modules/xstate/)" },
    },
    {
      name: "stores-come-by-their-own-entry",
      comment: "A browser that loads the core loads no file system.",
      severity: "error",
      from: { path: "^src/", pathNot: "^src/(tokens|cli)/" },
      to: { path: "^src/tokens/(index|folder-claim-store|postgres-claim-store|redis-claim-store)\\.ts$" },
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
      comment: "What the sandbox and the client shared, the tests could not see. What serves node:http is of neither.",
      severity: "error",
      from: { path: "^src/sandbox/" },
      to: { path: "^(src/(?!sandbox/|http/)|machines/)" },
    },
    {
      name: "client-knows-no-sandbox",
      severity: "error",
      from: { path: "^(src/(api|texts|login|link|view)/|src/index\\.ts$)" },
      to: { path: "^src/sandbox/" },
    },
    {
      name: "secrets-open-in-few-places",
      comment: "Whoever reviews where secrets are opened has one folder and a few files to read.",
      severity: "error",
      from: {
        pathNot:
          "^(src/api/|src/index\\.ts$|src/login/(credentials|paused-token)\\.ts$|src/relay/sealed-keys\\.ts$|src/restate/durable-seals\\.ts$|src/element/field-templates\\.ts$)",
        path: "^src/",
      },
      to: { path: "^src/api/reveal\\.ts$" },
    },
    {
      name: "a-framework-stays-in-its-adapter",
      comment: "Whoever uses one framework installs no other.",
      severity: "error",
      from: { path: "^src/", pathNot: "^src/(adapters|element)/" },
      to: { path: `^node_modules/(${frameworks.join("|")})/` },
    },
    {
      name: "opentelemetry-stays-in-its-bridge",
      severity: "error",
      from: { path: "^src/", pathNot: "^src/telemetry/opentelemetry/" },
      to: { path: "^(node_modules/@opentelemetry/|src/telemetry/opentelemetry/)" },
    },
    {
      name: "only-testing-and-trace-look-into-a-definition",
      severity: "error",
      from: { path: "^src/", pathNot: "^src/(testing|trace)/" },
      to: { path: "^(node_modules/@xstate/graph/|src/trace/definition\\.ts$)" },
    },
    {
      name: "nobody-imports-the-command-line",
      severity: "error",
      from: { path: "^src/(?!cli/)" },
      to: { path: "^src/cli/" },
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
    exclude: { path: "^src/(build\\.mjs|licenses\\.ts|.*vite\\.config\\.ts)$" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "node", "default", "types"] },
  },
};
