import { createRequire } from "node:module";
import { root } from "../entries.ts";

// @aws-amplify/ui and its XState 4 are installed beside this file and nowhere else, so the compiler does not know them.
interface ActorReference {
  subscribe(listener: (state: { matches(value: unknown): boolean }) => void): unknown;
}

interface Service {
  start(): Service;
  stop(): void;
  send(event: { type: string; data?: unknown }): void;
  onTransition(listener: (state: { context: { actorRef?: ActorReference } }) => void): Service;
}

interface AuthenticatorMachine {
  readonly context: object;
  withContext(context: object): AuthenticatorMachine;
}

const packages = createRequire(new URL("test/bench/amplify/package.json", root));
const { createAuthenticatorMachine } = packages("@aws-amplify/ui") as {
  createAuthenticatorMachine(options: object): AuthenticatorMachine;
};
const { interpret } = packages("xstate") as { interpret(machine: AuthenticatorMachine): Service };

// Instead of Cognito's calls: a bank that responds at once.
const services = {
  getCurrentUser: () => Promise.reject("nobody"),
  getAmplifyConfig: () => Promise.resolve({}),
  handleSignIn: () => Promise.resolve({ isSignedIn: false, nextStep: { signInStep: "CONFIRM_SIGN_IN_WITH_SMS_CODE" } }),
  handleConfirmSignIn: () => Promise.resolve({ isSignedIn: true, nextStep: { signInStep: "DONE" } }),
};

const machine = createAuthenticatorMachine({ useNextWaitConfig: true, services });
const ready = machine.withContext({ ...machine.context, services });

/** Creates, starts and stops the authenticator, no event sent. */
export function createAuthenticator(): void {
  interpret(ready).start().stop();
}

/**
 * From the start to a confirmed code: the steps before the form, the form, the code. It ends there, before the requests
 * that a Cognito login goes on with.
 */
export function confirmSignIn(): Promise<void> {
  return new Promise((resolve) => {
    const service = interpret(ready);
    let known: ActorReference | undefined;
    let step = "";
    const fill = (name: string, value: string) => service.send({ type: "CHANGE", data: { name, value } });
    const reach = (next: string, act: () => void) => {
      if (step === next) return;
      step = next;
      // A listener of XState 4 runs inside the transition.
      queueMicrotask(act);
    };
    service.onTransition(({ context: { actorRef } }) => {
      if (!actorRef || actorRef === known) return;
      known = actorRef;
      actorRef.subscribe((state) => {
        if (state.matches({ signIn: "edit" })) {
          reach("form", () => {
            fill("username", "12345678");
            fill("password", "correct horse battery staple");
            service.send({ type: "SUBMIT" });
          });
        } else if (state.matches({ confirmSignIn: "edit" })) {
          reach("code", () => {
            fill("confirmation_code", "482913");
            service.send({ type: "SUBMIT" });
          });
        } else if (state.matches("fetchUserAttributes")) {
          reach("confirmed", () => {
            service.stop();
            resolve();
          });
        }
      });
    });
    service.start();
  });
}
