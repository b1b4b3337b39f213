import { element, labeled } from '../../../widget/script/dom.ts';
import { read } from './api.ts';
import { periodPicker } from './periods.ts';
import { questionHash, readQuestion } from './question.ts';
import { mayCall } from './session.ts';
import { rowsOf, textOf } from './values.ts';

/** Only the address holds the question: it can be shared, reloaded, and left by the back button. */
export class QuestionForm {
  readonly element: HTMLFormElement;
  readonly #zone = element('input', { placeholder: 'the team’s', size: '18' });
  readonly #template = element('select', {}, element('option', { value: '' }, 'All'));
  readonly #templateField = labeled('Campaign', this.#template);
  readonly #cohort = element('select', {}, element('option', { value: '' }, 'All'));
  readonly #cohortField = labeled('Members of', this.#cohort);
  readonly #period = periodPicker(() => this.#choose());

  constructor() {
    const choose = () => this.#choose();
    for (const field of [this.#zone, this.#template, this.#cohort]) {
      field.addEventListener('change', choose);
    }
    this.element = element(
      'form',
      { autocomplete: 'off', hidden: true },
      ...this.#period.fields,
      this.#templateField,
      this.#cohortField,
      labeled('Time zone', this.#zone),
    );
    this.element.addEventListener('submit', (event) => {
      event.preventDefault();
    });
  }

  /** Shows the form, with the campaigns and cohorts of the team. */
  open(): void {
    this.element.hidden = false;
    const campaigns = [this.#template, this.#templateField] as const;
    const cohorts = [this.#cohort, this.#cohortField] as const;
    const lists = [
      listOptions('listTemplates', '-launched_at', campaigns, () => readQuestion().campaign),
      listOptions('listCohorts', 'name', cohorts, () => readQuestion().cohort),
    ];
    for (const list of lists) void list.catch(() => undefined);
  }

  /** Shows what the address asks. */
  fill(): void {
    const question = readQuestion();
    this.#period.choose(question.period);
    this.#zone.value = question.zone;
    this.#template.value = listed(this.#template, question.campaign);
    this.#cohort.value = listed(this.#cohort, question.cohort);
  }

  #choose(): void {
    location.hash = questionHash({
      section: '',
      period: this.#period.value(),
      campaign: this.#template.value,
      cohort: this.#cohort.value,
      zone: this.#zone.value.trim(),
    });
  }
}

async function listOptions(
  operation: string,
  sort: string,
  [select, field]: readonly [HTMLSelectElement, HTMLElement],
  chosen: () => string,
): Promise<void> {
  field.hidden = !mayCall(operation);
  if (field.hidden) return;
  const { data } = await read(operation, { query: { sort, 'page[size]': '100' } });
  const options = rowsOf(data).map((row) =>
    element('option', { value: textOf(row['id']) }, textOf(row['name'])),
  );
  select.replaceChildren(element('option', { value: '' }, 'All'), ...options);
  select.value = listed(select, chosen());
}

/** An id with its option, also of what is not among the first hundred. */
function listed(select: HTMLSelectElement, id: string): string {
  const isListed = [...select.options].some(({ value }) => value === id);
  if (!isListed) select.append(element('option', { value: id }, 'Another one, by its id'));
  return id;
}
