/**
 * A page as a person has it. Playwright watches the network of its pages, and each request costs the browser about a
 * quarter more processor time then, which no user pays. Here the page is only told what to run.
 */
export async function plainPage(browser, url) {
  const devtools = await browser.newBrowserCDPSession();
  const { targetId } = await devtools.send('Target.createTarget', { url });
  const { sessionId } = await devtools.send('Target.attachToTarget', { targetId, flatten: false });
  const waiting = new Map();
  devtools.on('Target.receivedMessageFromTarget', ({ sessionId: from, message }) => {
    if (from !== sessionId) return;
    const { id, result, error } = JSON.parse(message);
    waiting.get(id)?.({ result, error });
    waiting.delete(id);
  });
  let next = 0;
  const send = (method, params) =>
    new Promise((resolve, reject) => {
      const id = ++next;
      waiting.set(id, ({ result, error }) => (error ? reject(new Error(error.message)) : resolve(result)));
      const message = JSON.stringify({ id, method, params });
      devtools.send('Target.sendMessageToTarget', { sessionId, message }).catch(reject);
    });
  const evaluate = async (run, given = null) => {
    const { result, exceptionDetails } = await send('Runtime.evaluate', {
      expression: `(${run})(${JSON.stringify(given)})`,
      awaitPromise: true,
      returnByValue: true,
    });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  };
  await loaded(evaluate, url);
  return {
    evaluate,
    async close() {
      await devtools.send('Target.closeTarget', { targetId });
      await devtools.detach();
    },
  };
}

/** The first document of a new page is an empty one. */
async function loaded(evaluate, url) {
  const isThere = () => document.readyState === 'complete' && location.href;
  while (!String(await evaluate(isThere).catch(() => '')).startsWith(url))
    await new Promise((resolve) => setTimeout(resolve, 20));
}
