const checkMs = 30_000;
/** The service forgets who a recipient is after 30 minutes without a request; this is a little later. */
export const idleMs = 30 * 60_000 + 5_000;

/** Events of a page while it is open. */
interface Watcher {
  /** Whether the widget is not in the page any more. */
  isOver: () => boolean;
  /** Called twice a minute, and when the page is seen again. */
  onCheck: (isSeenAgain: boolean) => void;
  /** The connection is back. */
  onOnline: () => void;
  /** The recipient uses the buttons of the browser; with the step that they lead to. */
  onMove: (id: string) => void;
}

/** Watches a page until the widget is not in it any more. */
export function watch({ isOver, onCheck, onOnline, onMove }: Watcher): void {
  const online = () => {
    if (!isOver()) onOnline();
  };
  // Meanwhile the recipient may have signed out in another tab.
  const see = (event: Event) => {
    const isBack = event instanceof PageTransitionEvent ? event.persisted : !document.hidden;
    if (!isOver() && isBack) onCheck(true);
  };
  const move = ({ state }: PopStateEvent) => {
    const id: unknown = state === null ? undefined : Reflect.get(Object(state), 'onward');
    if (!isOver() && typeof id === 'string') onMove(id);
  };
  const timer = setInterval(() => {
    if (!isOver()) {
      onCheck(false);
      return;
    }
    clearInterval(timer);
    window.removeEventListener('online', online);
    window.removeEventListener('popstate', move);
    window.removeEventListener('pageshow', see);
    document.removeEventListener('visibilitychange', see);
  }, checkMs);
  window.addEventListener('online', online);
  window.addEventListener('popstate', move);
  window.addEventListener('pageshow', see);
  document.addEventListener('visibilitychange', see);
}
