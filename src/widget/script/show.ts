import { lockedView } from './challenge.ts';
import { Refusal, createClient } from './client.ts';
import { button } from './parts.ts';
import { enrollmentView } from './enrollment.ts';
import { draftOf, restore } from './forms.ts';
import { buildFrame, skeleton } from './frame.ts';
import { wordsOf } from './languages.ts';
import type { Model } from './model.ts';
import type { Options } from './options.ts';
import { pageView, tickAll } from './page.ts';
import { settingsView } from './settings.ts';
import { emptyView, endView, endsOf, firstOpen, putEnds, stepsView } from './steps.ts';
import { idleMs, watch } from './watch.ts';

/** In place of a step: the view after the last one. */
const theEnd = 'end';

/** The newest show in each element: a page may show twice, and mean the second time. */
const shows = new WeakMap<HTMLElement, object>();

/** Shows a journey in an element. */
export async function show(host: HTMLElement, base: string, options: Options): Promise<void> {
  const isOwn = host.dataset['onwardFragment'] !== undefined;
  const isAlone = isOwn && window.parent === window;
  const level = isOwn ? 1 : Math.min(Math.max(options.headingLevel ?? 2, 1), 4);
  const me = {};
  shows.set(host, me);
  const isOver = () => shows.get(host) !== me;
  let { lang, words } = worded(
    ...(isOwn ? [] : [document.documentElement.lang]),
    ...navigator.languages,
  );
  const newClient = () => createClient(base, options, { onEnd });
  let client = newClient();
  const steps = stepsView(choose);
  const parts = buildFrame(host, isOwn, steps.view);
  const { frame, layout, status, place, ends, foot } = parts;
  const leave = button('quiet', () => void signOut(), '');
  let model: Model | undefined;
  let shownId: string | undefined;
  /** Number of hidden pages: a response that arrives after its page was hidden is dropped. */
  let showing = 0;
  /** Entries of forms that were not sent, by page; nothing of it leaves the page. */
  const drafts = new Map<string, ReadonlyMap<string, string>>();
  let retry: (() => void) | undefined;
  /** Not after an end of the session: nobody may be there, and a question can send a code. */
  let asksAtOnce = true;
  const say = (text: string) => void (status.textContent = text);
  /** Whether the focus is within: a part that is replaced leaves it to what comes instead. */
  const hasFocus = () => frame.matches(':focus-within');
  const title = () => place.querySelector<HTMLElement>('.title');
  const isKnown = () => model !== undefined && model.session.assurance !== 'none';
  /** Where the login of the page vouches, its own way out ends the session. */
  const canSignOut = () =>
    isKnown() && (options.token === undefined || model?.session.assurance !== 'authenticated');

  function worded(...locales: string[]) {
    const found = wordsOf(...locales);
    return { lang: found.lang, words: { ...found.words, ...options.words } };
  }

  /** Removes all data of the recipient. */
  function hide(): void {
    showing += 1;
    asksAtOnce = false;
    [model, shownId, retry] = [undefined, undefined, undefined];
    drafts.clear();
    for (const part of [place, ends, foot]) part.replaceChildren();
    place.setAttribute('aria-busy', 'false');
    steps.draw({ pages: [] }, undefined, words);
    layout.classList.remove('has-steps');
    parts.name('');
  }

  function onEnd(): void {
    const hadFocus = hasFocus();
    hide();
    say(
      options.linkToken === undefined ? `${words.ended_here} ${words.again_here}` : words.expired,
    );
    if (hadFocus) status.focus();
  }

  async function signOut(): Promise<void> {
    hide();
    say(words.loading);
    try {
      await client.signOut();
    } catch (error) {
      refuse(error, signOut);
      return;
    }
    client = newClient();
    // The link opens without a session; a token has ended with the session.
    if (options.linkToken === undefined) say(`${words.signed_out} ${words.again_here}`);
    else {
      await begin();
      say(words.signed_out);
    }
    status.focus();
  }

  async function begin(): Promise<void> {
    say(words.loading);
    try {
      const begun = await client.begin();
      if (isOver()) return;
      void client.record({ kind: 'widget.loaded' }).catch(() => undefined);
      await enter(begun, false);
    } catch (error) {
      if (isOver()) return;
      // A token of an enrollment widget has no contact before the enrollment.
      if (error instanceof Refusal && error.code === 'journey_not_open') askToEnroll();
      else refuse(error, begin);
    }
  }

  async function enter(begun: Model, takesFocus: boolean): Promise<void> {
    model = begun;
    ({ lang, words } = worded(model.locale));
    parts.dress(model, lang);
    leave.textContent = words.sign_out;
    say('');
    const first = firstOpen(begun) ?? theEnd;
    if (isAlone) history.replaceState({ ...history.state, onward: first }, '');
    await open(first, takesFocus);
  }

  function askToEnroll(): void {
    say('');
    // The service counts the visit and the submission itself.
    const onEnrolled = (begun: Model) => enter(begun, true);
    parts.put(enrollmentView(client, words, level, onEnrolled), [], false);
  }

  /** Leads to a step that the recipient has chosen. */
  async function goTo(id: string): Promise<void> {
    // The buttons of the browser lead back; a page of others has a history of its own.
    if (isAlone && id !== shownId) history.pushState({ onward: id }, '');
    // To draw it again would discard what is typed, and ask again.
    const shown = id === shownId && asksAtOnce ? title() : null;
    asksAtOnce = true;
    if (shown) shown.focus();
    else await open(id, true);
  }

  const keepDraft = () => void (shownId !== undefined && drafts.set(shownId, draftOf(place)));

  async function open(id: string, takesFocus: boolean): Promise<void> {
    if (!model) return;
    keepDraft();
    retry = undefined;
    const { pages, widget } = model;
    const wanted = pages.some((page) => page.id === id) ? id : theEnd;
    shownId = wanted;
    steps.draw(model, shownId, words);
    layout.classList.toggle('has-steps', pages.length > 1);
    parts.putFoot(leave, canSignOut());
    const here = showing;
    const sayHere = (text: string) => {
      if (here === showing) say(text);
    };
    const own = widget ? settingsView(widget, client, { words, say: sayHere }) : [];
    if (wanted === theEnd) {
      const view =
        pages.length > 0
          ? endView(model, words, level, choose)
          : emptyView(model, words, level, own.length > 0);
      parts.put(view, own, takesFocus);
      ends.replaceChildren();
      return;
    }
    place.setAttribute('aria-busy', 'true');
    const page = await client.page(wanted);
    // Another step was chosen meanwhile, or the recipient has signed out.
    if (shownId !== wanted || here !== showing) return;
    const view = page.is_locked
      ? lockedView(model, page.title, client, { words, level, asksAtOnce, onPassed })
      : pageView(page, model, client, { words, say: sayHere, level, onDone: refresh });
    parts.put(view, own, takesFocus);
    restore(view, drafts.get(wanted) ?? new Map());
    drawEnds();
    if (page.is_locked) return;
    await client.record({ kind: 'page.viewed', page_id: page.id }).catch(() => undefined);
    await refresh();
  }

  async function onPassed(): Promise<void> {
    const here = showing;
    await refresh();
    if (shownId !== undefined) await open(shownId, true);
    if (here === showing) say(words.confirmed);
  }

  function choose(id: string): void {
    say('');
    attempt(() => goTo(id));
  }

  function drawEnds(): void {
    if (!model || shownId === undefined || shownId === theEnd) return;
    const id = shownId;
    putEnds(
      ends,
      endsOf(model, id, words, {
        hasTask: place.querySelector('form, .button, [data-objective], .challenge') !== null,
        back: choose,
        next(after) {
          say('');
          attempt(async () => {
            const page = model?.pages.find((one) => one.id === id);
            if (page && !page.is_done && !page.is_locked) {
              await client.record({ kind: 'page.continued', page_id: id });
              model = await client.journey();
            }
            await goTo(after ?? theEnd);
          });
        },
      }),
    );
  }

  /** An action may have completed an objective, which changes the steps and checklists. */
  async function refresh(): Promise<void> {
    const [here, wasKnown] = [showing, isKnown()];
    const now = await client.journey();
    if (here !== showing) return;
    model = now;
    if (wasKnown && !isKnown()) return showAgain(now);
    steps.draw(model, shownId, words);
    parts.putFoot(leave, canSignOut());
    drawEnds();
    tickAll(place, model, words);
  }

  /** Does something that the recipient asked for, and says where it fails, with a way to repeat it. */
  function attempt(task: () => Promise<void>): void {
    const here = showing;
    task().catch((error: unknown) => {
      if (here === showing) refuse(error, task);
    });
  }

  function refuse(error: unknown, task: () => Promise<void>): void {
    const code = error instanceof Refusal ? error.code : 'offline';
    if (/expired|token|journey/.test(code)) {
      onEnd();
      return;
    }
    say(code === 'offline' ? words.offline : words.failed);
    keepDraft();
    retry = () => {
      retry = undefined;
      const hadFocus = hasFocus();
      say(words.loading);
      place.replaceChildren(skeleton());
      place.setAttribute('aria-busy', 'true');
      attempt(async () => {
        await task();
        if (status.textContent === words.loading) say('');
        if (hadFocus && !hasFocus()) title()?.focus();
      });
    };
    place.setAttribute('aria-busy', 'false');
    const [again, hadFocus] = [button('', () => retry?.(), words.retry), hasFocus()];
    place.replaceChildren(again);
    ends.replaceChildren();
    if (hadFocus) again.focus();
  }

  watch({
    isOver: () => isOver() || !frame.isConnected,
    onCheck: (isSeenAgain) => {
      if (isKnown() && Date.now() - client.lastAnswerMs() > idleMs) void showAgain();
      // After sleep there may be no connection yet; the next action says so.
      else if (isKnown() && isSeenAgain) refresh().catch(() => undefined);
    },
    onOnline: () => retry?.(),
    onMove: (id) => {
      if (isAlone) attempt(() => open(id, true));
    },
  });

  /** Shows public content after the session of the recipient has ended. */
  async function showAgain(now?: Model): Promise<void> {
    const [id, hadFocus] = [shownId, hasFocus()];
    hide();
    try {
      model = now ?? (await client.journey());
      say(isKnown() ? '' : words.ended);
      if (hadFocus) status.focus();
      await open(id ?? theEnd, false);
    } catch (error) {
      refuse(error, begin);
    }
  }

  await begin();
}
