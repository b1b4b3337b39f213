/** Lets `ms` pass between the beats of an offered load; never to wait for an effect. */
export function pace(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
