// S.A., S.A.U., S.A.B. de C.V., S. de R.L., C.A., Ltda.: without their dots, in capitals.
const legalForms = /^(S|SA|SAA|SAB|SAC|SAS|SAU|CA|SCRL|SPA|SRL|EIRL|CV|RL|DE|LTDA?|INC|LLC|CIA)$/;

/** The parts of a bank's name, without the legal form at its end. */
export function listNameParts(name: string): readonly string[] {
  const parts = name
    .replace(/\bS\.\s+A\b/i, "SA")
    .split(/[\s,]+/)
    .filter((part) => part !== "");
  const isLegal = (part = "") => legalForms.test(part.replaceAll(/[^\p{L}]/gu, "").toUpperCase());
  while (parts.length > 1 && isLegal(parts.at(-1))) parts.pop();
  return parts;
}

/** The words of a bank's name, without the legal form at its end. */
export const listNameWords = (name: string): readonly string[] =>
  listNameParts(name).flatMap((part) => part.match(/\p{L}[\p{L}\p{N}]*/gu) ?? []);

/** Words that no initials have: Banco do Brasil is BB. */
export const connectives = /^(del?|d[aeo]s?|el|l[ao]s?|[aey]|of|the|and)$/i;
