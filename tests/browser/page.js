// page: opens a page in a browser without a window, waits until an expression is true there,
// and prints its value.
// usage: node page.js URL EXPRESSION [WIDTH [light|dark]]
// Exit status: 0; 1 if it is not true within a minute, or there is no browser.
'use strict';
const { spawn } = require('child_process');
const fs = require('fs');
const os = require('os');
const path = require('path');

const [url, expression, width, scheme] = process.argv.slice(2);
const home = fs.mkdtempSync(path.join(os.tmpdir(), 'page-'));
const browser = spawn('chromium', [
  '--headless', '--no-sandbox', '--disable-gpu', '--enable-unsafe-swiftshader',
  '--no-first-run', '--disable-dev-shm-usage', `--window-size=1200,${process.env.HEIGHT || 4000}`,
  `--user-data-dir=${home}/user`, '--remote-debugging-pipe', 'about:blank',
], {
  stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
  env: { ...process.env, HOME: home },
  detached: true,
});

// Answers to what was asked, by number.
const waiting = new Map();
let asked = 0;
let buffer = '';

// Ask the browser: messages are JSON, each with a NUL behind it.
function ask(method, params, sessionId) {
  return new Promise((resolve, reject) => {
    waiting.set(++asked, { resolve, reject });
    browser.stdio[3].write(JSON.stringify({ id: asked, method, params, sessionId }) + '\0');
  });
}

// End the browser with all of its processes, in whose folder they write until they are gone.
function end(status, text) {
  (status ? process.stderr : process.stdout).write(`${text}\n`);
  browser.removeAllListeners();
  browser.on('exit', () => {
    fs.rmSync(home, { recursive: true, force: true, maxRetries: 20 });
    process.exit(status);
  });
  if (!browser.pid)
    process.exit(status);
  try {
    process.kill(-browser.pid, 'SIGKILL');
  } catch {
    process.exit(status); // it has ended by itself
  }
}

browser.stdio[4].on('data', (data) => {
  const parts = (buffer + data).split('\0');
  buffer = parts.pop();
  for (const message of parts.map((part) => JSON.parse(part))) {
    const asker = waiting.get(message.id);
    waiting.delete(message.id);
    if (asker && message.error)
      asker.reject(new Error(message.error.message));
    else if (asker)
      asker.resolve(message.result);
  }
});
browser.on('error', (error) => end(1, `page: ${error.message}`));
browser.on('exit', () => end(1, 'page: the browser has ended'));
setTimeout(() => end(1, `page: not true within a minute: ${expression}`), 60000);

async function main() {
  const { targetId } = await ask('Target.createTarget', { url });
  const { sessionId } = await ask('Target.attachToTarget', { targetId, flatten: true });
  if (width)
    await ask('Emulation.setDeviceMetricsOverride',
      { width: +width, height: 800, deviceScaleFactor: 1, mobile: false }, sessionId);
  if (scheme)
    await ask('Emulation.setEmulatedMedia',
      { features: [{ name: 'prefers-color-scheme', value: scheme }] }, sessionId);
  for (;;) {
    const { result, exceptionDetails } = await ask('Runtime.evaluate', {
      expression, returnByValue: true, awaitPromise: true,
    }, sessionId).catch(() => ({ result: {} })); // the page is being replaced by the next one
    if (exceptionDetails)
      throw new Error(exceptionDetails.exception.description);
    if (result.value)
      return end(0, result.value);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

main().catch((error) => end(1, `page: ${error.message}`));
