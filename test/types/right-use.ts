// To which types public values narrow. What is only used is compiled by the examples, whose screens have a branch for each step of a view.
import {
  BankError,
  type FailureCode,
  type FaultCode,
  type LinkView,
  type LoginOutcome,
  type LoginResponse,
  type LoginState,
  type LoginView,
  type OutcomeCode,
  type RefusalStatus,
  type Secret,
} from "ventanilla";
import type { LoginScreenOptions } from "ventanilla/react";
import { expectTypeOf } from "vitest";

type Outcome<Status extends LoginOutcome["status"]> = LoginOutcome & { status: Status };
type Response<Status extends LoginResponse["status"]> = LoginResponse & { status: Status };

// The codes of outcomes: test/core/api/failures.test.ts.
expectTypeOf<LoginOutcome["status"]>().toEqualTypeOf<
  OutcomeCode | "logged_in" | "select_client" | "interaction_required"
>();
expectTypeOf<Outcome<"logged_in">["key"]>().toEqualTypeOf<Secret>();
expectTypeOf<Outcome<"select_client" | "max_sessions_reached">["key"]>().toEqualTypeOf<Secret | undefined>();
expectTypeOf<Outcome<"unexpected_status">["wireStatus"]>().toEqualTypeOf<string | undefined>();
expectTypeOf<Outcome<Exclude<OutcomeCode, "max_sessions_reached">>["httpStatus"]>().toEqualTypeOf<number | undefined>();

expectTypeOf<Response<"logged_in" | "select_client">["key"]>().toEqualTypeOf<Secret | undefined>();
type Refusal = Exclude<LoginResponse, { status: "logged_in" | "select_client" | "interaction_required" }>;
expectTypeOf<Refusal["status"]>().toEqualTypeOf<RefusalStatus>();

// Every state: adding one breaks this.
type Selecting = "selectClient.resting" | "selectClient.listing" | "selectClient.choosing" | "selectClient.selecting";
type Sending = "submitting" | "replacingSession";
expectTypeOf<LoginState>().toEqualTypeOf<
  "idle" | Sending | "awaitingInteraction" | Selecting | "loggedIn" | "failed"
>();

// Every step of a login, and every one of a link.
type BusyStep = "submitting" | "listingClients" | "selectingClient" | "replacingSession";
type LoginStep = BusyStep | "enteringCredentials" | "answering" | "choosingClient" | "clientRequired" | "failed";
type LinkStep = "loadingProviders" | "choosingProvider" | "loadingFields" | "loadingDestinations" | "linkFailed";
expectTypeOf<LoginView["step"]>().toEqualTypeOf<LoginStep | "loggedIn">();
expectTypeOf<LinkView["step"]>().toEqualTypeOf<LoginStep | LinkStep | "linked" | "cancelled">();
expectTypeOf<Extract<LinkView, { step: "linked" }>["key"]>().toEqualTypeOf<Secret>();

export function fault(error: unknown): FaultCode | undefined {
  if (error instanceof BankError && error.code === "missing_field")
    expectTypeOf(error.code).toEqualTypeOf<"missing_field">();
  return error instanceof BankError ? error.code : undefined;
}
expectTypeOf<FailureCode>().toEqualTypeOf<OutcomeCode | FaultCode>();

// A screen passes its props on: one that is `undefined` counts as left out.
const props: { locale: undefined; settings: undefined } = { locale: undefined, settings: undefined };
export const screen = { provider: "test", ...props } satisfies LoginScreenOptions;
