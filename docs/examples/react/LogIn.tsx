import { BankLogin } from "ventanilla/react/element";

export function LogIn({ goOn }: { goOn(provider: string): void }) {
  return <BankLogin relay="/bank/" clientSelection onLogin={({ detail }) => goOn(detail.provider)} />;
}
