import type { ObjectSharedContext } from "@restatedev/restate-sdk";
import type { AnyEventObject } from "xstate";
import type { loginMachine } from "../../../machines/login.ts";
import { secret } from "../../core/api/secret.ts";
import { type RequestBegun, sendObserved } from "../../core/login/invoked-requests.ts";
import type { LoginSnapshot } from "../../core/login/login-state.ts";
import { inspectAll } from "../../tools/telemetry/listeners.ts";
import type { StoredActor, StoredLogin, TraceHeaders } from "../../tools/telemetry/stored-login.ts";
import type { Inspect, InspectedActor } from "../../tools/trace/traced-actors.ts";
import { createMicrostep, parentOf } from "../../tools/trace/xstate-private.ts";

/**
 * Restate stores a durable login between its steps, and no actor runs it. So each step and each request gets the inspection events
 * that an actor of the statechart would cause. What `inspect` throws does not reach the login.
 */
export function createStepInspection(machine: typeof loginMachine, inspect: Inspect | undefined) {
  const show = inspectAll(inspect);
  const rootId = machine.id;
  const createLogin = (members: StoredActor, snapshot?: LoginSnapshot): InspectedActor => {
    const { id } = members.storedLogin;
    const actor = { id, sessionId: id, logic: machine, getSnapshot: () => snapshot ?? {}, ...members };
    return actor as unknown as InspectedActor;
  };

  return {
    step(login: StoredLogin, snapshots: readonly LoginSnapshot[]): void {
      const shown = snapshots.map((snapshot) => conceal(machine, snapshot));
      const actorRef = createLogin({ storedLogin: login }, shown.at(-1));
      for (const snapshot of shown) {
        show(createMicrostep({ actorRef, rootId, snapshot, event: { type: "" } }));
      }
    },

    /** Sends a request of the login behind `ctx`, and shows its start and its end. */
    async request<Output>(
      ctx: Pick<ObjectSharedContext, "key" | "request">,
      src: string,
      signal: AbortSignal,
      send: () => Promise<Output>,
    ): Promise<Output> {
      const storedLogin = { id: ctx.key, past: undefined };
      const login = createLogin({ storedLogin, traceHeaders: readTraceHeaders(ctx) });
      const listeners: ((event: RequestBegun) => void)[] = [];
      const request = {
        id: src,
        src,
        sessionId: `${ctx.key}.${src}`,
        ...parentOf(login),
        on: (_: string, listener: (event: RequestBegun) => void) => listeners.push(listener),
      } as unknown as InspectedActor;
      const showEvent = (actorRef: InspectedActor, sourceRef: InspectedActor, event: AnyEventObject) =>
        show({ type: "@xstate.event", actorRef, sourceRef: sourceRef as never, rootId, event });
      const stop = { event: { type: "xstate.stop" }, snapshot: stopped };
      const showStop = () => show({ type: "@xstate.snapshot", actorRef: request, rootId, ...stop });

      showEvent(request, login, { type: "xstate.init" });
      signal.addEventListener("abort", showStop, { once: true });
      try {
        const output = await sendObserved((event) => {
          for (const listener of listeners) listener(event);
        }, send);
        showEvent(login, request, { type: `xstate.done.actor.${src}`, output });
        return output;
      } catch (error) {
        showEvent(login, request, { type: `xstate.error.actor.${src}`, error });
        throw error;
      }
    },
  };
}

/** Shows steps and requests to an inspect function. */
export type StepInspection = ReturnType<typeof createStepInspection>;

/** The snapshot with opaque secrets in place of sealed texts. */
function conceal(machine: typeof loginMachine, { value, context }: LoginSnapshot): LoginSnapshot {
  const { id, provider, key } = context;
  // Whether there are credentials decides what the login can do next.
  const credentials = context.credentials && { id, provider, fields: { username: secret(id), password: secret(id) } };
  return machine.resolveState({
    value,
    context: { ...context, credentials, answer: undefined, key: key && secret(`${key}`) },
  });
}

const stopped = { status: "stopped", output: undefined, error: undefined } as const;

/** The trace context of the call that led to this invocation: Restate keeps the headers of a call with it. */
export function readTraceHeaders(ctx: Pick<ObjectSharedContext, "request">): TraceHeaders {
  const { headers } = ctx.request();
  const traceparent = headers.get("traceparent");
  const tracestate = headers.get("tracestate");
  return { ...(traceparent && { traceparent }), ...(tracestate && { tracestate }) };
}
