import { expect, test } from 'vitest';
import { courseFile } from './course.ts';

const lesson = { title: 'The loop', summary: 'Calls & results <again>.', language: 'en' };

/** The file as a browser reads it, which refuses XML that is not well-formed. */
function course(more: { readonly address: string; readonly title?: string }) {
  const file = courseFile({ ...lesson, ...more });
  const read = new DOMParser().parseFromString(file, 'text/xml');
  expect(read.querySelector('parsererror')?.textContent).toBeUndefined();
  const text = (selector: string) => read.querySelector(selector)?.textContent;
  const attribute = (selector: string, name: string) => read.querySelector(selector)?.getAttribute(name);
  return { text, attribute, names: [...read.querySelectorAll('au > *')].map(({ tagName }) => tagName) };
}

test('a lesson of the app is launched at its address, and counts when it is read', () => {
  const { text, attribute, names } = course({ address: 'https://vitrine.example/app/?lesson=the-loop' });
  expect(attribute('courseStructure', 'xmlns')).toBe(
    'https://w3id.org/xapi/profiles/cmi5/v1/CourseStructure.xsd',
  );
  for (const part of ['course', 'au']) {
    expect(text(`${part} > title > langstring[lang="en"]`)).toBe('The loop');
    expect(text(`${part} > description > langstring[lang="en"]`)).toBe('Calls & results <again>.');
  }
  expect(attribute('course', 'id')).toBe('https://vitrine.example/app/?lesson=the-loop#course');
  expect(attribute('au', 'id')).toBe('https://vitrine.example/app/?lesson=the-loop');
  expect([attribute('au', 'moveOn'), attribute('au', 'launchMethod')]).toEqual(['Completed', 'AnyWindow']);
  expect(text('au > url')).toBe('https://vitrine.example/app/cmi5.html?lesson=the-loop');
  // The schema of cmi5 fixes their order.
  expect(names).toEqual(['title', 'description', 'url']);
});

test('a lesson that is in its link goes along as launch parameters, and has an id that follows from it', () => {
  const { text, attribute } = course({ address: 'https://vitrine.example/#lesson=abc_-1' });
  expect(text('au > url')).toBe('https://vitrine.example/cmi5.html');
  expect(text('au > launchParameters')).toBe('#lesson=abc_-1');
  const id = attribute('au', 'id');
  expect(id).toMatch(/^https:\/\/vitrine\.example\/\?lesson=own-[\da-f]{16}$/);
  expect(course({ address: 'https://vitrine.example/#lesson=abc_-1' }).attribute('au', 'id')).toBe(id);
  expect(course({ address: 'https://vitrine.example/#lesson=abc_-2' }).attribute('au', 'id')).not.toBe(id);
});

test('a title cannot become markup, and what XML cannot hold is left out', () => {
  const title = 'A "quoted" </title>\u0000\u000b title 🧭';
  const { text } = course({ address: 'https://vitrine.example/?lesson=x', title });
  expect(text('au > title > langstring')).toBe('A "quoted" </title> title 🧭');
});
