import { getShortestPaths } from "@xstate/graph";
import { linkMachine } from "ventanilla/machines/link";
import { type LoginOutput, loginMachine } from "ventanilla/machines/login";
import { linkEvents, loginEvents, serializeState } from "ventanilla/testing";
import { assign, setup } from "xstate";

// The statecharts, walked by XState's own package: nothing is started, so how a request ends is an event. A login that was paused elsewhere is left out.
const input = { clientSelection: true, sessionReplacement: true, interactionLimit: 2, destinations: true };
const begun = loginEvents.filter(({ type }) => type !== "login.resume");
const paths = {
  login: getShortestPaths(loginMachine, { events: begun, serializeState, input }),
  link: getShortestPaths(linkMachine, { events: linkEvents, serializeState, input }),
};
console.log(paths.login.length);
const shortest = paths.login.find(({ state }) => state.matches("loggedIn"));
console.log(shortest?.steps.map(({ event }) => event.type));
console.log(paths.link.some(({ state }) => state.matches("linked")));

// Your own statechart, with the login as a child. The child is not started either: its end is an event, of the type `xstate.done.actor.<id>`.
const shop = setup({
  types: { context: {} as { login: LoginOutput | undefined } },
  actors: { login: loginMachine },
}).createMachine({
  id: "shop",
  context: { login: undefined },
  initial: "basket",
  states: {
    basket: { on: { pay: "loggingIn" } },
    loggingIn: {
      invoke: {
        id: "login",
        src: "login",
        input: {},
        onDone: { target: "paying", actions: assign({ login: ({ event }) => event.output }) },
      },
    },
    paying: { type: "final" },
  },
});
const ends = linkEvents.filter(({ type }) => `${type}`.endsWith(".actor.login"));
const own = getShortestPaths(shop, { events: [{ type: "pay" }, ...ends], serializeState });
console.log(own.map(({ state }) => state.value));
