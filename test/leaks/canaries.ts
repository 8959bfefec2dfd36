import { randomBytes } from "node:crypto";
import { inspect, types } from "node:util";

/** A value that nobody else has, so that it can be told wherever it turns up. */
export interface Canary {
  readonly name: string;
  /** The part that survives any encoding: letters and digits. */
  readonly token: string;
  /** What is sent. */
  readonly value: string;
}

/** Values that were looked at. */
export interface Seen {
  has(one: unknown): boolean;
  add(one: unknown): unknown;
}

/** Fresh canaries of these names. Those of a name that may hold any text hold what forms, paths and JSON must encode. */
export function newCanaries<Name extends string>(names: readonly Name[]): Readonly<Record<Name, Canary>> {
  const entries = names.map((name) => {
    const token = `cnry${name}${randomBytes(6).toString("hex")}`;
    return [name, { name, token, value: /(key|token)$/i.test(name) ? token : `${token} "&é=<ñ` }];
  });
  return Object.fromEntries(entries) as Record<Name, Canary>;
}

/** A value of somebody else's as a canary: it must begin with a word that stands nowhere else. */
export function canaryOf(name: string, value: string): Canary {
  const [token] = /^[\w-]{8,}/.exec(value) ?? [];
  if (!token) throw new Error(`The value of ${name} can't be told from others.`);
  return { name, token, value };
}

// Where the search stops: the platform itself, which no canary is part of.
const platform = new Set<unknown>([globalThis]);
for (const holder of [globalThis, console, process]) {
  for (const { value } of Object.values(Object.getOwnPropertyDescriptors(holder))) {
    platform.add(value);
    if (typeof value === "function") platform.add(value.prototype);
  }
}
for (const sample of [function* () {}, async () => {}, async function* () {}])
  platform.add(Object.getPrototypeOf(sample));

// Whose children hold nothing that reflection can't see.
const ordinary = new Set<unknown>([null, Object.prototype, Array.prototype, Function.prototype]);

/**
 * Looks for canaries in a value and all that can be reached from it: names and values of members, own and inherited,
 * enumerable or not, symbols, getters, Maps, Sets, bytes, errors with their causes, functions' own members.
 * Gives `<canary> at <path>` for each.
 *
 * @param seen what was looked at before, and is not again; what is looked at now is added.
 */
export function findCanaries(value: unknown, canaries: readonly Canary[], seen: Seen = new Set()): string[] {
  const found = new Set<string>();
  const left: Place[] = [{ value, member: "value" }];
  const shortest = Math.min(...canaries.map(({ token }) => token.length));
  const note = (text: string, place: Place) => {
    if (text.length < shortest) return;
    for (const { name, token } of canaries) if (text.includes(token)) found.add(`${name} at ${pathOf(place)}`);
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
        // Most of what there is can hold nothing.
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

/** A value, and the way to it. */
interface Place {
  readonly value: unknown;
  readonly member: PropertyKey;
  readonly holder?: Place;
}

// Most places hold nothing of interest, so their paths are not written out before something is found.
function pathOf({ member, holder }: Place): string {
  if (!holder) return String(member);
  const isWord = typeof member === "string" && /^[\w.]+$/.test(member);
  return `${pathOf(holder)}${isWord ? `.${member}` : `[${String(member)}]`}`;
}

function eachMember(holder: object, visit: (member: PropertyKey, content: unknown) => void): void {
  if (ArrayBuffer.isView(holder)) {
    visit("bytes", Buffer.from(holder.buffer, holder.byteOffset, holder.byteLength).toString("latin1"));
    return;
  }
  // A getter that is inherited shows what the holder has, so it is asked on the holder.
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
  // Most of what there is has nothing but members.
  if (ordinary.has(Object.getPrototypeOf(holder)) && !types.isProxy(holder)) return;
  // What reflection can't open, a debugger can.
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
