import { randomBytes } from "node:crypto";
import { inspect, types } from "node:util";

/** A value that stands nowhere else, so that it can be recognized wherever it appears. */
export interface Canary {
  readonly name: string;
  /** The part that no encoding changes: letters and digits. */
  readonly token: string;
  /** What is sent. */
  readonly value: string;
}

/** Values that were searched. */
export interface Seen {
  has(one: unknown): boolean;
  add(one: unknown): unknown;
}

/** New canaries of these names. All but keys and tokens hold characters that forms, paths and JSON must encode; an answer has no blank, as no code has. */
export function newCanaries<Name extends string>(names: readonly Name[]): Readonly<Record<Name, Canary>> {
  const entries = names.map((name) => {
    const token = `cnry${name}${randomBytes(6).toString("hex")}`;
    const rest = /answer/i.test(name) ? '"&é=<ñ' : ' "&é=<ñ';
    return [name, { name, token, value: /(key|token)$/i.test(name) ? token : `${token}${rest}` }];
  });
  return Object.fromEntries(entries) as Record<Name, Canary>;
}

/** A given value as a canary: it must begin with a word that stands nowhere else. */
export function createCanary(name: string, value: string): Canary {
  const [token] = /^[\w-]{8,}/.exec(value) ?? [];
  if (!token) throw new Error(`The value of ${name} can't be recognized.`);
  return { name, token, value };
}

// The search stops at the platform itself.
const platform = new Set<unknown>([globalThis]);
for (const holder of [globalThis, console, process]) {
  for (const { value } of Object.values(Object.getOwnPropertyDescriptors(holder))) {
    platform.add(value);
    if (typeof value === "function") platform.add(value.prototype);
  }
}
for (const sample of [function* () {}, async () => {}, async function* () {}])
  platform.add(Object.getPrototypeOf(sample));

// Objects with these prototypes hold nothing that reflection can't see.
const ordinary = new Set<unknown>([null, Object.prototype, Array.prototype, Function.prototype]);

/**
 * Looks for canaries in a value and all that can be reached from it: names and values of members, own and inherited,
 * enumerable or not, symbols, getters, Maps, Sets, bytes, errors with their causes, functions' own members.
 * Returns `<canary> at <path>` for each.
 *
 * @param seen what was searched before, and is not again; what is searched now is added.
 */
export function findCanaries(value: unknown, canaries: readonly Canary[], seen: Seen = new Set()): string[] {
  const found = new Set<string>();
  const left: Place[] = [{ value, member: "value" }];
  const shortest = Math.min(...canaries.map(({ token }) => token.length));
  const note = (text: string, place: Place) => {
    if (text.length < shortest) return;
    for (const { name, token } of canaries) if (text.includes(token)) found.add(`${name} at ${formatPath(place)}`);
  };
  for (let place = left.pop(); place; place = left.pop()) {
    const holder = place;
    const one = place.value;
    if (typeof one === "string") note(one, place);
    else if (typeof one === "symbol") note(one.description ?? "", place);
    else if (typeof one === "function" || (typeof one === "object" && one !== null)) {
      if (platform.has(one) || seen.has(one)) continue;
      seen.add(one);
      eachMember(one, (member, content) => {
        // Most values are too short to hold a canary.
        if (typeof content === "string") {
          if (content.length >= shortest) note(content, { value: content, member, holder });
        } else if (content !== null && ["object", "function", "symbol"].includes(typeof content)) {
          left.push({ value: content, member, holder });
        }
      });
    }
  }
  return [...found];
}

/** A value, and the path to it. */
interface Place {
  readonly value: unknown;
  readonly member: PropertyKey;
  readonly holder?: Place;
}

// Paths are formatted only where something is found.
function formatPath({ member, holder }: Place): string {
  if (!holder) return String(member);
  const isWord = typeof member === "string" && /^[\w.]+$/.test(member);
  return `${formatPath(holder)}${isWord ? `.${member}` : `[${String(member)}]`}`;
}

function eachMember(holder: object, visit: (member: PropertyKey, content: unknown) => void): void {
  if (ArrayBuffer.isView(holder)) {
    visit("bytes", Buffer.from(holder.buffer, holder.byteOffset, holder.byteLength).toString("latin1"));
    return;
  }
  // An inherited getter is called on the holder.
  for (let level: object | null = holder; level && !platform.has(level); level = Object.getPrototypeOf(level)) {
    for (const name of Reflect.ownKeys(level)) {
      const descriptor = Reflect.getOwnPropertyDescriptor(level, name);
      visit("name", name);
      if (descriptor?.get) visit(name, read(holder, name));
      else visit(name, descriptor?.value);
      if (descriptor?.get) visit(`${String(name)}.get`, descriptor.get);
      if (descriptor?.set) visit(`${String(name)}.set`, descriptor.set);
    }
  }
  // Most objects have nothing but members.
  if (ordinary.has(Object.getPrototypeOf(holder)) && !types.isProxy(holder)) return;
  // `util.inspect` sees what reflection can't.
  if (isClosed(holder)) visit("inside", inspect(holder, { showHidden: true, showProxy: true, depth: 5 }));
  if (holder instanceof ArrayBuffer) visit("bytes", Buffer.from(holder).toString("latin1"));
  if (holder instanceof Map) {
    for (const [key, content] of holder) {
      visit("key", key);
      visit("entry", content);
    }
  }
  if (holder instanceof Set) for (const content of holder) visit("element", content);
  if (holder instanceof WeakRef) visit("target", holder.deref());
  if (holder instanceof String) visit("text", holder.valueOf());
  if (holder instanceof URL || holder instanceof URLSearchParams) visit("text", holder.toString());
  if (holder instanceof Headers) for (const header of holder) visit("header", header);
}

const isClosed = (holder: object): boolean =>
  types.isPromise(holder) ||
  types.isProxy(holder) ||
  types.isWeakMap(holder) ||
  types.isWeakSet(holder) ||
  types.isMapIterator(holder) ||
  types.isSetIterator(holder) ||
  types.isGeneratorObject(holder);

function read(holder: object, name: PropertyKey): unknown {
  try {
    return Reflect.get(holder, name);
  } catch (error) {
    // What a getter throws can hold a canary as well.
    return error;
  }
}

/** Finds these texts where they stand alone: an answer of four digits is also within random ids, times and ports, once in a thousand runs. */
export const asWords = (...texts: string[]): RegExp => new RegExp(`(?<![\\w:-])(${texts.join("|")})(?![\\w-])`);
