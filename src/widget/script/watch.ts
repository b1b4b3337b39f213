const checkMs = 30_000;

/** Events of a page while it is open. */
interface Watcher {
  /** Whether the widget is not in the page any more. */
  isOver: () => boolean;
  /** Called twice a minute. */
  onCheck: () => void;
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
  const move = ({ state }: PopStateEvent) => {
    const id: unknown = state === null ? undefined : Reflect.get(Object(state), 'onward');
    if (!isOver() && typeof id === 'string') onMove(id);
  };
  const timer = setInterval(() => {
    if (!isOver()) {
      onCheck();
      return;
    }
    clearInterval(timer);
    window.removeEventListener('online', online);
    window.removeEventListener('popstate', move);
  }, checkMs);
  window.addEventListener('online', online);
  window.addEventListener('popstate', move);
}
