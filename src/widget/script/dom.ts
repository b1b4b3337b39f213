type Attributes = Readonly<Record<string, string | boolean>>;

/** An element with its attributes and what is in it; true stands for an attribute without a value. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...content: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== false) made.setAttribute(key, value === true ? '' : value);
  }
  made.append(...content);
  return made;
}

/** A text for screen readers. */
export const unseen = (text: string) => element('span', { class: 'unseen' }, text);

let fields = 0;

/** A field next to its label: a label around a list would have its options in the name. */
export function labeled(text: string, field: HTMLElement, optional?: string): HTMLElement {
  fields += 1;
  field.id = `field-${String(fields)}`;
  const label = element('label', { for: field.id }, text);
  if (optional !== undefined) {
    label.append(' ', element('span', { class: 'form-optional' }, `(${optional})`));
  }
  return element('div', { class: 'field' }, label, field);
}

/** Does something when a form is sent, once at a time, and leaves the page where it is. */
export function onSubmit(form: HTMLFormElement, send: () => Promise<void>): void {
  let isSending = false;
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (isSending) return;
    isSending = true;
    void send().finally(() => {
      isSending = false;
    });
  });
}
