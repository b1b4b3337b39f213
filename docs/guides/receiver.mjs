// Receives webhooks at http://127.0.0.1:4000 and verifies their signatures.
import { createServer } from 'node:http';
import { Webhook } from 'standardwebhooks';

const webhook = new Webhook(process.env.WEBHOOK_SECRET ?? '');

createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request.setEncoding('utf8')) body += chunk;
  try {
    const event = webhook.verify(body, request.headers);
    response.writeHead(204).end();
    console.log(`${event.type} verified: ${event.data.id}`);
  } catch (error) {
    response.writeHead(400).end();
    console.log(`refused: ${error.message}`);
  }
}).listen(4000, '127.0.0.1');
