// A page of a bank that shows its customer the onboarding widget.
import { createServer } from 'node:http';
import { Onward } from '@onward/sdk';

const { ONWARD_BASE_URL = '', WIDGET_ID = '', CONTACT_ID = '', PORT = '5000' } = process.env;
const origin = `http://localhost:${PORT}`;
const onward = new Onward({
  baseUrl: ONWARD_BASE_URL,
  clientId: process.env.ONWARD_CLIENT_ID,
  clientSecret: process.env.ONWARD_CLIENT_SECRET,
});
const policy = [
  "default-src 'none'",
  `script-src ${ONWARD_BASE_URL}`,
  `connect-src ${ONWARD_BASE_URL}`,
  `img-src ${ONWARD_BASE_URL} https:`,
  "style-src 'unsafe-inline'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The customer who is signed in: yours comes from the session of the request. */
const customerOf = (_request) => CONTACT_ID;

const pageFor = (token) => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Your bank</title>
<style>body { font: 1rem/1.5 system-ui; max-width: 42rem; margin: 2rem auto; padding: 0 1rem }</style>
<main>
<h1>Your bank</h1>
<div data-onward-token="${token}"></div>
</main>
<script src="${ONWARD_BASE_URL}/widget.js" async></script>
</html>
`;

createServer(async (request, response) => {
  if (request.method !== 'GET' || request.url !== '/') {
    response.writeHead(404).end();
    return;
  }
  try {
    const { access_token } = await onward.widgetInstances.createToken(WIDGET_ID, {
      contact_id: customerOf(request),
      origin,
      assurance: 'authenticated',
    });
    response.writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy,
      'cache-control': 'no-store',
    });
    response.end(pageFor(access_token));
  } catch (error) {
    console.error(error.message);
    response.writeHead(502, { 'content-type': 'text/plain' }).end('Please try again later.');
  }
}).listen(Number(PORT), 'localhost', () => console.log(`listening on ${origin}`));
