/** Redis over HTTP, as Upstash has it: createRedisStore(createHttpRedis({ url, token })) */
export function createHttpRedis({ url, token }: { readonly url: string; readonly token: string }) {
  return {
    async eval(
      script: string,
      { keys, arguments: values }: { readonly keys: string[]; readonly arguments: string[] },
    ): Promise<unknown> {
      const response = await fetch(url, {
        method: "POST",
        headers: { authorization: `Bearer ${token}` },
        body: JSON.stringify(["EVAL", script, keys.length, ...keys, ...values]),
        cache: "no-store",
        signal: AbortSignal.timeout(5_000),
      });
      const { result, error } = (await response.json()) as { readonly result?: unknown; readonly error?: string };
      if (error !== undefined || !response.ok) throw new Error(error ?? `HTTP ${response.status}`);
      return result;
    },
  };
}
