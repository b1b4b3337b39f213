// node:http, which says "100 Continue" and "102 Processing" unasked, and answers in chunks.
import { createServer } from 'node:http';

createServer((request, response) => {
  response.writeContinue();
  response.writeProcessing();
  request.resume();
  request.on('end', () => {
    response.write('o');
    response.end('k');
  });
}).listen(Number(process.argv[2]), '127.0.0.1');
