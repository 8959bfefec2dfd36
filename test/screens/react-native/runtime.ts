import { readFile } from "node:fs/promises";
import { join } from "node:path";
import vm from "node:vm";
import { createNativeNetworking, type EmitDeviceEvent } from "./native-networking.ts";
import { buildWorkspace } from "./workspace.ts";

/** The library, loaded in React Native. */
export type Core = typeof import("ventanilla") &
  typeof import("ventanilla/react") &
  Pick<typeof import("xstate"), "createActor">;

interface ReactNativeGlobals {
  readonly core: Core;
  readonly emitDeviceEvent: EmitDeviceEvent;
}

const filename = join(await buildWorkspace(), "core.js");
const script = new vm.Script(await readFile(filename, "utf8"), { filename });

/**
 * Loads the core into a context with the globals of React Native: the language; timers, `performance`, `console`, `atob` and
 * `TextEncoder`, which are native there; and the classes that React Native's package defines. Every other class of the web is missing,
 * `TextDecoder` too, as before React Native 0.85.
 *
 * @param fetch sends the requests of the native side.
 */
export function openReactNative(
  fetch: typeof globalThis.fetch = globalThis.fetch,
): ReactNativeGlobals & typeof globalThis {
  const emit: EmitDeviceEvent = (name, body) => world.emitDeviceEvent(name, body);
  const modules: Readonly<Record<string, object>> = createNativeNetworking(fetch, emit);
  const world = vm.createContext({
    ...{ setTimeout, clearTimeout, setInterval, clearInterval, console, atob, btoa, TextEncoder },
    performance: { now: () => performance.now() },
    RN$Bridgeless: true,
    nativeModuleProxy: {},
    __turboModuleProxy: (name: string) => modules[name],
  }) as ReactNativeGlobals & typeof globalThis;
  vm.runInContext("globalThis.global = globalThis", world);
  script.runInContext(world);
  // Expo's bundler adds it to each bundle. React Native itself has none.
  vm.runInContext("delete globalThis.ReadableStream", world);
  return world;
}
