import { useSelector } from "@xstate/react";
import { loginView } from "ventanilla";
import type { takeUpKept } from "./kept-login";
import { LoginPanel } from "./LoginScreen";

/** A login that the app was closed in. */
export function KeptLoginScreen({ actor }: { actor: NonNullable<ReturnType<typeof takeUpKept>> }) {
  const snapshot = useSelector(actor, (current) => current);
  return <LoginPanel view={loginView(snapshot, actor, { provider: snapshot.context.provider })} />;
}
