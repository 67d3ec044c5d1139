import { expect, test } from 'vitest';
import { withHeaders } from './headers.ts';

const build = {
  headers: {
    every: {
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Content-Security-Policy': "frame-ancestors 'self'",
    },
    assets: { 'Content-Security-Policy': "default-src 'none'" },
  },
};

test('the headers that the host did not send are added, and those of scripts are stricter', async () => {
  const page = withHeaders(new Response('page', { headers: { 'Content-Type': 'text/html' } }), '', build);
  expect(Object.fromEntries(page.headers)).toEqual({
    'content-type': 'text/html',
    'cross-origin-opener-policy': 'same-origin',
    'content-security-policy': "frame-ancestors 'self'",
  });
  expect(await page.text()).toBe('page');
  const script = withHeaders(new Response(''), 'assets/a.js', build);
  expect(script.headers.get('content-security-policy')).toBe("default-src 'none'");
});

test('an answer with all of them passes as it is, whatever they say', () => {
  const own = new Response('', {
    headers: { 'Cross-Origin-Opener-Policy': 'unsafe-none', 'Content-Security-Policy': "default-src 'self'" },
  });
  expect(withHeaders(own, 'assets/a.js', build)).toBe(own);
});

test('the frame of the workspace is sandboxed by its answer, on every host', () => {
  const bare = withHeaders(new Response(''), 'sandbox.html', build);
  expect(bare.headers.get('content-security-policy')).toBe("frame-ancestors 'self', sandbox allow-scripts");
  const sent = withHeaders(new Response('', { headers: build.headers.every }), 'sandbox.html', build);
  expect(sent.headers.get('content-security-policy')).toBe("frame-ancestors 'self', sandbox allow-scripts");
});

test('the frame of previews is sandboxed in the same way', () => {
  const answer = withHeaders(new Response(''), 'preview.html', build);
  expect(answer.headers.get('content-security-policy')).toContain('sandbox allow-scripts allow-forms');
  expect(answer.headers.get('content-security-policy')).not.toContain('allow-same-origin');
});

test('a status stays', () => {
  expect(withHeaders(new Response('', { status: 404 }), 'assets/a.js', build).status).toBe(404);
});
