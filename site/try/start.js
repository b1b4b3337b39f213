// Mounts the client for one operation: requests to one API, nothing from elsewhere.
const place = document.querySelector('#operation');
const back = document.querySelector('#back');
const button = document.querySelector('#appearance');
const choice = 'vitepress-theme-appearance';

function isDark() {
  const chosen = localStorage.getItem(choice) ?? 'auto';
  return chosen === 'auto' ? matchMedia('(prefers-color-scheme: dark)').matches : chosen === 'dark';
}

function showAppearance() {
  document.documentElement.classList.toggle('dark', isDark());
  document.body.classList.toggle('dark-mode', isDark());
  document.body.classList.toggle('light-mode', !isDark());
  button.textContent = isDark() ? '☀' : '☾';
  button.setAttribute('aria-pressed', String(isDark()));
}

button.addEventListener('click', () => {
  localStorage.setItem(choice, isDark() ? 'light' : 'dark');
  showAppearance();
});
showAppearance();

const slug = (name) => name.toLowerCase().replaceAll(' ', '-');

/** The operation that the address names. */
function findOperation(paths, hash) {
  const wanted = decodeURIComponent(hash).split('/').at(-1).replace('#', '').toLowerCase();
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      if (operation.operationId.toLowerCase() === wanted) return { path, method, operation };
    }
  }
  return undefined;
}

/** The document with one operation and the components that it refers to: the rest takes seconds. */
function only({ path, method, operation }, content) {
  const components = { securitySchemes: content.components.securitySchemes };
  const add = (value) => {
    if (Array.isArray(value)) value.forEach(add);
    if (typeof value !== 'object' || value === null) return;
    const [, , kind, name] = typeof value.$ref === 'string' ? value.$ref.split('/') : [];
    if (name !== undefined && components[kind]?.[name] === undefined) {
      components[kind] ??= {};
      components[kind][name] = content.components[kind][name];
      add(components[kind][name]);
    }
    Object.values(value).forEach(add);
  };
  // Errors are in the reference.
  const responses = Object.entries(operation.responses).filter(([status]) => status < '300');
  // Each field has up to ten operators; a reader writes them into an empty row.
  const parameters = operation.parameters?.filter(({ name }) => !/^filter\[.*\]\[/.test(name));
  const shown = {
    ...operation,
    parameters,
    tags: undefined,
    responses: Object.fromEntries(responses),
  };
  add(shown);
  const { openapi, info } = content;
  const title = operation.summary;
  return {
    ...{ openapi, info: { title, version: info.version }, paths: { [path]: { [method]: shown } } },
    components,
  };
}

/** The access token of this machine's demo team; none on any other machine. */
async function findToken() {
  if (!['127.0.0.1', 'localhost', '[::1]'].includes(location.hostname)) return '';
  const response = await fetch('/local/session').catch(() => undefined);
  if (response?.status !== 200) return '';
  const { teams } = await response.json();
  return teams.find((team) => !team.is_sample)?.access_token ?? '';
}

async function start() {
  const { document: source, api } = place.dataset;
  const whole = await (await fetch(source)).json();
  const found = findOperation(whole.paths, location.hash);
  if (!found) {
    location.replace(back.href);
    return;
  }
  const { operationId, summary } = found.operation;
  document.title = `Try: ${summary} | Onward`;
  back.hash = operationId;
  const url = api || location.origin;
  const content = only(found, whole);
  content.servers = [{ url }];
  content.components.securitySchemes.oauth2.flows.clientCredentials.tokenUrl = `${url}/oauth2/token`;
  place.textContent = '';
  window.Scalar.createApiReference(place, {
    content,
    theme: 'default',
    withDefaultFonts: false,
    telemetry: false,
    agent: { disabled: true },
    mcp: { disabled: true },
    showDeveloperTools: 'never',
    hideClientButton: true,
    hideDarkModeToggle: true,
    forceDarkModeState: isDark() ? 'dark' : 'light',
    hideModels: true,
    documentDownloadType: 'json',
    defaultOpenFirstTag: true,
    showSidebar: false,
    hideSearch: true,
    hiddenClients: true,
    persistAuth: false,
    authentication: {
      preferredSecurityScheme: 'oauth2',
      securitySchemes: { oauth2: { flows: { clientCredentials: { token: await findToken() } } } },
    },
    generateTagSlug: ({ name }) => slug(name),
    generateOperationSlug: ({ operationId, method, path }) => operationId ?? method + path,
  });
}

/** Corrects what the viewer says to screen readers, as often as it draws something. */
function correctRoles() {
  for (const item of place.querySelectorAll('button[aria-selected]')) {
    if (item.getAttribute('aria-selected') === 'true') item.setAttribute('aria-current', 'true');
    item.removeAttribute('aria-selected');
  }
  for (const search of place.querySelectorAll('button[role="search"]')) {
    search.removeAttribute('role');
    search.querySelector('.sidebar-search-placeholder')?.removeAttribute('aria-hidden');
    search.querySelector('.sidebar-search-key')?.setAttribute('aria-hidden', 'true');
  }
  nameParts();
  for (const copy of place.querySelectorAll('[class*="copy-button"]:not([aria-label])')) {
    if (copy.tagName === 'BUTTON') copy.setAttribute('aria-label', 'Copy');
  }
  for (const more of place.querySelectorAll('.show-more[aria-label]')) {
    more.removeAttribute('aria-label');
  }
  for (const list of place.querySelectorAll('.endpoints:not([tabindex])')) list.tabIndex = 0;
}
/** Names of parts of the client that have none. */
function nameParts() {
  const name = (selector, text) => {
    for (const one of document.querySelectorAll(`${selector}:not([aria-label])`)) {
      if (!one.textContent.trim() && !one.labels?.length) one.setAttribute('aria-label', text);
    }
  };
  name('input[type="checkbox"]', 'Send this row');
  name('button', 'More');
  for (const field of document.querySelectorAll('.cm-content:not([aria-label])')) {
    field.setAttribute('aria-label', field.closest('td, tr')?.textContent.trim() || 'Value');
  }
  for (const one of document.querySelectorAll('button[role="none"]')) one.removeAttribute('role');
  for (const one of document.querySelectorAll('[aria-controls]')) {
    if (!document.getElementById(one.getAttribute('aria-controls'))) {
      one.removeAttribute('aria-controls');
    }
  }
}

let isDue = false;
let isOpened = false;
new MutationObserver(() => {
  if (isDue) return;
  isDue = true;
  requestAnimationFrame(() => {
    isDue = false;
    correctRoles();
    isOpened ||= openClient();
  });
}).observe(document.body, { childList: true, subtree: true });

/** Opens the client as soon as its button is there. */
function openClient() {
  const button = [...place.querySelectorAll('button')].find((one) =>
    one.textContent.includes('Test Request'),
  );
  if (button) button.click();
  return button !== undefined;
}

addEventListener('hashchange', () => location.reload());
start().catch(() => {
  place.textContent = 'The operation could not be loaded. Reload the page.';
});
