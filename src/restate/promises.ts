/** Restate's SDK calls `Promise.withResolvers`, which Node 20 does not have: each call would hang in retries. */
export function providePromiseWithResolvers(): void {
  const promise = Promise as { withResolvers?: () => unknown };
  promise.withResolvers ??= function withResolvers<Value>(this: PromiseConstructor) {
    let resolve: unknown;
    let reject: unknown;
    const promise = new this<Value>((...settle) => {
      [resolve, reject] = settle;
    });
    return { promise, resolve, reject };
  };
}
