import { BankError } from "./errors.ts";
import { isSecret, reveal } from "./reveal.ts";
import { MASK, type Secret } from "./secret.ts";

/** A text that may be secret: a plain string for this call only, or a `Secret`. */
export type StringOrSecret = string | Secret;

/** Milliseconds. A longer `setTimeout` fires at once. */
export const LONGEST_TIMER = 2 ** 31 - 1;

/** The error of a value that can't be used. `detail` says what the value must be, and never repeats it. */
export function createInputError(field: string, detail: string): BankError {
  return new BankError("invalid_input", { field, detail });
}

/** Reveals a text and refuses one that can't be sent exactly as it is. */
export function revealText(field: string, text: StringOrSecret | undefined): string {
  if (typeof text !== "string" && !isSecret(text)) throw createTextError(field, text);
  const value = typeof text === "string" ? text : reveal(text);
  // A secret becomes this text in JSON. It must not reach a bank as a password.
  if (value === MASK) throw new BankError("secret_unavailable", { field });
  if (value === "") throw createInputError(field, "must not be empty");
  checkWellFormed(field, value);
  return value;
}

/** A secret that has lost its value is an object without members. */
function createTextError(field: string, value: unknown): BankError {
  const isObject = typeof value === "object" && value !== null;
  if (!isObject || value instanceof Promise) return createTypeError(field, value, "must be a string or a secret");
  if (Array.isArray(value) || Object.keys(value).length > 0) {
    return createInputError(field, "must be a string or a secret: give each field alone");
  }
  return new BankError("secret_unavailable", { field });
}

/** Refuses a text that would arrive as another one. */
export function checkWellFormed(field: string, text: string): void {
  if (illFormed.test(text)) throw createInputError(field, "must be well-formed Unicode");
}

/** The error of a value of another type. @param detail says what to write; for a promise, it is `await`. */
function createTypeError(field: string, value: unknown, detail: string): BankError {
  return createInputError(field, value instanceof Promise ? "is a promise: write `await` before it" : detail);
}

/** Refuses what is not an object. @param detail says what to write. */
export function checkObject(field: string, value: unknown, detail = "must be an object"): void {
  if (value !== Object(value) || value instanceof Promise) throw createTypeError(field, value, detail);
}

/** Checks the names of a login's form: it has the three fields of each login (contract, section 4.1), and none with the name of the session key. */
export function checkFieldNames(form: Readonly<Record<string, unknown>>): void {
  const missing = ["provider", "username", "password"].find((name) => form[name] === undefined);
  if (missing !== undefined) throw new BankError("missing_field", { field: missing });
  const names = Object.keys(form);
  if (names.includes("")) throw createInputError("field", "must not be empty");
  checkWellFormed("field", names.join(" "));
  const reserved = names.find(isKeyName);
  if (reserved !== undefined) throw createInputError(reserved, "is the contract's name of the session key");
}

/** Refuses what is not a client, such as the options of one. */
export function checkClient(client: unknown): void {
  if (typeof (client as { login?: unknown } | undefined)?.login !== "function") {
    throw createTypeError("client", client, "must come from createBankClient or createRelayClient");
  }
}

/** Half a surrogate pair. A form would send U+FFFD instead: another password than the one that was typed. */
export const illFormed = /\p{Surrogate}/u;

/** Refuses a value that a header can't contain. The platform's error would show the value. */
export function parseHeaderValue(field: string, value: string): string {
  if (typeof value !== "string" || !/^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(value)) {
    throw createInputError(field, "must be printable ASCII without spaces around it");
  }
  return value;
}

/**
 * Whether a field of a form has the name of the session key in the query (contract, section 4.1). A service that merges the two, in
 * any case, would take it for a session.
 */
export const isKeyName = (name: string): boolean => name.toLowerCase() === "key";

/** Whether a field can be an answer. It is sent beside these three, and would replace one of them; the key travels in the query. */
export const isAnswerName = (name: string): boolean =>
  !["provider", "username", "password"].includes(name) && !isKeyName(name);

/** Checks a group whose members may all be left out. */
export function parseObject<Group extends object>(field: string, value: Group | undefined = {} as Group): Group {
  checkObject(field, value);
  return value;
}

/** Checks each option of a function, and completes it. The compiler asks for the parser of a new option. */
export type OptionParsers<Options> = {
  readonly [Name in keyof Options]-?: (field: string, value: Options[Name]) => unknown;
};

/** What the parsers return. One of any type leaves the option as it is. */
export type ParsedOptions<Options, Parsers> = {
  readonly [Name in keyof Parsers & keyof Options]: Parsers[Name] extends (field: string, value: never) => infer Result
    ? unknown extends Result
      ? Options[Name]
      : Result
    : never;
};

/**
 * Checks options by their parsers, and completes them.
 *
 * @param hint what else an unknown option can be.
 * @throws {BankError} `invalid_input`, naming the option.
 */
export function parseOptions<Options extends object, const Parsers extends OptionParsers<Options>>(
  options: Options,
  parsers: Parsers,
  hint = "",
): ParsedOptions<Options, Parsers> {
  checkObject("options", options, `must be an object, such as { ${Object.keys(parsers)[0]}: … }`);
  return parseMembers(options, parsers, "", hint);
}

/**
 * Runs the parsers of the members, in their order. It refuses any other member: JavaScript would ignore it, and a program may rely on it. An option of an earlier
 * version can have been a guard.
 */
function parseMembers<Options extends object, const Parsers extends OptionParsers<Options>>(
  options: Options,
  parsers: Parsers,
  prefix: string,
  hint: string,
): ParsedOptions<Options, Parsers> {
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(parsers, name));
  if (unknown !== undefined) {
    throw createInputError(`${prefix}${unknown}`, `is not an option${findNearest(unknown, parsers) ?? hint}`);
  }
  const parsed = Object.entries<(field: string, value: never) => unknown>(parsers).map(([name, parse]) => {
    return [name, parse(`${prefix}${name}`, options[name as keyof Options] as never)];
  });
  return Object.fromEntries(parsed) as ParsedOptions<Options, Parsers>;
}

/** The members that parsers take. */
type GroupOf<Parsers extends Record<string, (field: string, value: never) => unknown>> = {
  readonly [Name in keyof Parsers]?: Parameters<Parsers[Name]>[1];
};

/** The parser of an option that has members. `satisfies` makes the compiler ask for that of a new one. */
export const parseGroup =
  <const Parsers extends Record<string, (field: string, value: never) => unknown>>(parsers: Parsers) =>
  (field: string, value?: GroupOf<Parsers>): ParsedOptions<GroupOf<Parsers>, Parsers> =>
    parseMembers(parseObject(field, value), parsers as OptionParsers<GroupOf<Parsers>> & Parsers, `${field}.`, "");

/** The parser of an option that can be left out. */
export const optional =
  <Value, Result>(parse: (field: string, value: Value) => Result) =>
  (field: string, value: Value | undefined) =>
    value === undefined ? undefined : parse(field, value);

/** The parser of a field that must be given. */
export const required =
  <Value, Result>(parse: (field: string, value: Value) => Result) =>
  (field: string, value: Value) => {
    if (value === undefined) throw new BankError("missing_field", { field });
    return parse(field, value);
  };

/** The parser of an option that has a default. */
export const withDefault =
  <Value, Result>(preset: NoInfer<Value>, parse: (field: string, value: Value) => Result) =>
  (field: string, value: Value | undefined = preset) =>
    parse(field, value);

/** The parser of an option that is taken as it is: another function checks it. */
export const unchecked = <Value>(_: string, value: Value): Value => value;

/** The parser of an option whose value is good or not. @param detail says what it must be. */
export const parseValid =
  <Value>(isValid: (value: Value) => unknown, detail: string) =>
  (field: string, value: Value): Value => {
    if (isValid(value)) return value;
    throw createInputError(field, detail);
  };

/** Checks a callback. */
export function parseFunction<Callback>(field: string, value: Callback): Callback {
  if (typeof value === "function") return value;
  throw createInputError(field, "must be a function");
}

function findNearest(unknown: string, names: object): string | undefined {
  const nearest = Object.keys(names).find((name) => isSlip(unknown, name));
  return nearest === undefined ? undefined : `: did you mean "${nearest}"?`;
}

/** Whether two names differ in one letter, in two neighbours that changed places, or only in capitals. */
function isSlip(typed: string, meant: string): boolean {
  if (Math.abs(typed.length - meant.length) > 1) return false;
  const [one, other] = [[...typed.toLowerCase()], [...meant.toLowerCase()]];
  const start = one.findIndex((letter, index) => letter !== other[index]);
  const [rest, otherRest] = start < 0 ? [[], other.slice(one.length)] : [one.slice(start), other.slice(start)];
  while (rest.length > 0 && otherRest.length > 0 && rest.at(-1) === otherRest.at(-1)) {
    rest.pop();
    otherRest.pop();
  }
  if (rest.length === 2) return rest.join("") === otherRest.reverse().join("");
  return rest.length <= 1 && otherRest.length <= 1;
}

/** Checks a time-out in milliseconds. */
export function parseMilliseconds(field: string, value: number): number {
  if (typeof value !== "number" || !(value >= 1 && value <= LONGEST_TIMER)) {
    throw createInputError(field, `must be milliseconds between 1 and ${LONGEST_TIMER}`);
  }
  return value;
}

/** Checks a duration in milliseconds, which may be infinite. Default: infinite. */
export function parseDuration(field: string, value: number = Number.POSITIVE_INFINITY): number {
  if (typeof value !== "number" || !(value >= 0)) throw createInputError(field, "must be milliseconds, 0 or more");
  return value;
}

/** Milliseconds: a day of 1973. A smaller number is a duration, which was given in place of a time. */
const EARLIEST_TIME = 1e11;

/** Checks a time: a `Date`, or milliseconds since the epoch, which may be infinite. Default: infinite. */
export function parseTime(field: string, value: Date | number = Number.POSITIVE_INFINITY): number {
  const time = value instanceof Date ? value.getTime() : value;
  if (typeof time !== "number" || Number.isNaN(time)) {
    throw createInputError(field, "must be a Date or milliseconds since 1970");
  }
  if (time < EARLIEST_TIME) {
    throw createInputError(field, "is a time, not a duration: give Date.now() + 60_000");
  }
  return time;
}

/** Checks what switches something on: the text "false" would. */
export function parseFlag<Flag extends boolean | undefined>(field: string, value: Flag): Flag {
  if (value === undefined || typeof value === "boolean") return value;
  throw createInputError(field, "must be true or false");
}

/** Checks a count. */
export function parseWholeNumber(field: string, value: number, least = 0): number {
  if (!Number.isSafeInteger(value) || value < least) {
    throw createInputError(field, `must be a whole number, ${least} or more`);
  }
  return value;
}
