import { directionOf } from '../../platform/schema/direction.ts';
import { challengeView } from './challenge.ts';
import { Refusal, createClient } from './client.ts';
import type { Credentials } from './client.ts';
import { element, unseen } from './dom.ts';
import { enrollmentView } from './enrollment.ts';
import type { Model } from './model.ts';
import { pageView } from './page.ts';
import { settingsView } from './settings.ts';
import { style } from './style.ts';
import { englishWords, filled } from './words.ts';
import type { Words } from './words.ts';

/** The service forgets who a recipient is after 30 minutes without a request; this is a little later. */
const idleMs = 30 * 60_000 + 5_000;
const idleCheckMs = 30_000;

export interface Options extends Credentials {
  words?: Partial<Words>;
}

/** Shows a journey in an element, in a shadow root, so that the styles of the page stay out. */
export async function show(host: HTMLElement, base: string, options: Options): Promise<void> {
  const words = { ...englishWords, ...options.words };
  const newClient = () => createClient(base, options, { onEnd });
  let client = newClient();
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
  const status = element('p', { role: 'status', 'aria-live': 'polite', tabindex: '-1' });
  const steps = element('ol', {});
  const nav = element('nav', { 'aria-label': words.steps, hidden: true }, steps);
  const leave = element('button', { type: 'button' }, words.sign_out);
  const bar = element('div', { class: 'bar' }, nav);
  const place = element('div', {});
  const frame = element('div', { class: 'onward' }, bar, status, place);
  root.replaceChildren(element('style', {}, style), frame);
  let model: Model | undefined;
  let shownId: string | undefined;
  /** Number of hidden pages: a response that arrives after its page was hidden is dropped. */
  let showing = 0;
  const say = (text: string) => {
    status.textContent = text;
  };
  const sayHere = () => {
    const here = showing;
    return (text: string) => {
      if (here === showing) say(text);
    };
  };
  const isKnown = () => model !== undefined && model.session.assurance !== 'none';

  /** Removes all data of the recipient. */
  function hide(): void {
    showing += 1;
    model = undefined;
    shownId = undefined;
    steps.replaceChildren();
    place.replaceChildren();
    nav.hidden = true;
    leave.remove();
  }

  function onEnd(): void {
    hide();
    say(words.expired);
  }

  async function signOut(): Promise<void> {
    hide();
    say(words.loading);
    try {
      await client.signOut();
    } catch (error) {
      say(error instanceof Refusal && error.code === 'offline' ? words.offline : words.failed);
      offerAgain(signOut);
      return;
    }
    client = newClient();
    // The link opens without a session; a token has ended with the session.
    if (options.linkToken !== undefined) await begin();
    say(words.signed_out);
    status.focus();
  }
  leave.addEventListener('click', () => void signOut());

  async function begin(): Promise<void> {
    say(words.loading);
    try {
      await enter(await client.begin(), 'widget.loaded', false);
    } catch (error) {
      // A token of an enrollment widget has no contact before the enrollment.
      if (error instanceof Refusal && error.code === 'journey_not_open') askToEnroll();
      else refuse(error);
    }
  }

  async function enter(begun: Model, kind: string, takesFocus: boolean): Promise<void> {
    model = begun;
    frame.lang = model.locale;
    frame.dir = directionOf(model.locale);
    for (const [name, value] of Object.entries(model.template.theme)) {
      host.style.setProperty(`--${name.replaceAll('_', '-')}`, String(value));
    }
    say('');
    void client.record({ kind }).catch(() => undefined);
    await open(model.journey.current_page_id ?? firstOpen(model), takesFocus);
  }

  function askToEnroll(): void {
    say('');
    place.replaceChildren(
      enrollmentView(client, words, (begun) => enter(begun, 'widget.submitted', true)),
    );
  }

  /** The first page that is not completed; the last where all are. */
  const firstOpen = ({ pages }: Model) =>
    (pages.find(({ is_completed }) => !is_completed) ?? pages.at(-1))?.id;

  async function open(id: string | undefined, takesFocus: boolean): Promise<void> {
    if (!model) return;
    shownId = model.pages.some((page) => page.id === id) ? id : firstOpen(model);
    drawSteps(model);
    const { widget } = model;
    const sayIt = sayHere();
    const own = widget ? settingsView(widget, client, words, sayIt) : [];
    if (shownId === undefined) {
      place.replaceChildren(element('h1', { tabindex: '-1' }, model.template.name), ...own);
      return;
    }
    const [wanted, here] = [shownId, showing];
    const page = await client.page(wanted);
    // Another step was chosen meanwhile, or the recipient has signed out.
    if (shownId !== wanted || here !== showing) return;
    const view = page.is_locked
      ? lockedView(model, page.title)
      : pageView(page, model, client, words, { say: sayIt, onDone: refresh });
    place.replaceChildren(view, ...own);
    if (takesFocus) view.querySelector<HTMLElement>('[tabindex="-1"]')?.focus();
    if (page.is_locked) return;
    await client.record({ kind: 'page.viewed', page_id: page.id }).catch(() => undefined);
    await refresh();
  }

  function lockedView({ session }: Model, title: string): HTMLElement {
    const view = element('div', { class: 'page' }, element('h1', { tabindex: '-1' }, title));
    if (!session.can_verify) {
      view.append(element('p', {}, words.locked));
      return view;
    }
    view.append(
      challengeView(client, words, async () => {
        await refresh();
        await open(shownId, true);
        say(words.confirmed);
      }),
    );
    return view;
  }

  function drawSteps({ pages }: Model): void {
    const items = pages.map((page, at) => {
      const isHere = page.id === shownId;
      const place = filled(words.step, { at: at + 1, of: pages.length });
      const state = page.is_locked ? words.locked : page.is_completed ? words.done : words.open;
      const mark = page.is_locked ? '⊘ ' : page.is_completed ? '✓ ' : '';
      const button = element(
        'button',
        { type: 'button', ...(isHere && { 'aria-current': 'step' }) },
        unseen(`${place}: `),
        element('span', { 'aria-hidden': 'true' }, mark),
        page.title,
        unseen(` (${state})`),
      );
      button.addEventListener('click', () => {
        say('');
        open(page.id, true).catch(refuse);
      });
      return element('li', {}, button);
    });
    const focused = root.activeElement?.closest('li');
    const at = focused ? [...steps.children].indexOf(focused) : -1;
    steps.replaceChildren(...items);
    items[at]?.querySelector('button')?.focus();
    nav.hidden = pages.length < 2;
    if (!isKnown()) leave.remove();
    else if (!leave.isConnected) bar.append(leave);
  }

  /** An action may have completed an objective, which changes the steps and checklists. */
  async function refresh(): Promise<void> {
    const [here, wasKnown] = [showing, isKnown()];
    const now = await client.journey();
    if (here !== showing) return;
    model = now;
    if (wasKnown && !isKnown()) {
      await showAgain(now);
      return;
    }
    drawSteps(model);
    for (const item of place.querySelectorAll('li[data-objective]')) {
      const key = item.getAttribute('data-objective');
      const done = model.journey.objectives.some((one) => one.key === key && one.completed_at);
      item.classList.toggle('is-done', done);
      const state = item.querySelector('.unseen');
      if (state) state.textContent = ` (${done ? words.done : words.open})`;
    }
  }

  function refuse(error: unknown): void {
    const code = error instanceof Refusal ? error.code : 'offline';
    if (code !== 'offline') {
      say(/expired|token|journey/.test(code) ? words.expired : words.failed);
      return;
    }
    say(words.offline);
    offerAgain(begin);
  }

  function offerAgain(task: () => Promise<void>): void {
    const again = element('button', { type: 'button' }, words.retry);
    again.addEventListener('click', () => void task());
    place.replaceChildren(again);
  }

  const timer = setInterval(() => {
    if (!frame.isConnected) clearInterval(timer);
    else if (isKnown() && Date.now() - client.lastAnswerMs() > idleMs) void showAgain();
  }, idleCheckMs);

  /** Shows public content after the session of the recipient has ended. */
  async function showAgain(now?: Model): Promise<void> {
    const id = shownId;
    hide();
    try {
      model = now ?? (await client.journey());
      say(isKnown() ? '' : words.ended);
      await open(id, false);
    } catch (error) {
      refuse(error);
    }
  }

  await begin();
}
