// Mounts the reference: one document, requests to one API, nothing from elsewhere.
const place = document.querySelector('#reference');
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

/** `#createContact`, and `#/Contacts/createContact` of earlier versions, lead to the operation. */
function findPlace(paths, hash) {
  const wanted = decodeURIComponent(hash).split('/').at(-1).replace('#', '').toLowerCase();
  const operation = Object.values(paths)
    .flatMap((path) => Object.values(path))
    .find(({ operationId }) => operationId.toLowerCase() === wanted);
  return operation && `#tag/${slug(operation.tags[0])}/${operation.operationId}`;
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
  const content = await (await fetch(source)).json();
  const url = api || location.origin;
  content.servers = [{ url }];
  content.components.securitySchemes.oauth2.flows.clientCredentials.tokenUrl = `${url}/oauth2/token`;
  const target = findPlace(content.paths, location.hash);
  if (target) history.replaceState(null, '', target);
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
    defaultOpenFirstTag: false,
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
  for (const copy of place.querySelectorAll('[class*="copy-button"]:not([aria-label])')) {
    if (copy.tagName === 'BUTTON') copy.setAttribute('aria-label', 'Copy');
  }
  for (const more of place.querySelectorAll('.show-more[aria-label]')) {
    more.removeAttribute('aria-label');
  }
  for (const list of place.querySelectorAll('.endpoints:not([tabindex])')) list.tabIndex = 0;
}
let isDue = false;
new MutationObserver(() => {
  if (isDue) return;
  isDue = true;
  requestAnimationFrame(() => {
    isDue = false;
    correctRoles();
  });
}).observe(place, { childList: true, subtree: true });

start().catch(() => {
  place.textContent = 'The reference could not be loaded. Reload the page.';
});
