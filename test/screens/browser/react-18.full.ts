import { testElement } from "./react-element.ts";
import { testBuiltScreens } from "./screens.ts";
import { serveBuilt, setUpServer } from "./vite.ts";

const screens = setUpServer(() => serveBuilt("react", "test/screens/browser/react", 18));

// The same screens as with React 19.
testBuiltScreens("react", (root) => serveBuilt("react", root, 18));
testElement("creates", () => new URL("?element", screens().url).href);
