import { expect, test } from 'vitest';
import { IMAGES_AND_PDF, IMAGES_ONLY, traitsOf, type Traits } from './traits.ts';

const accepted = ({ files }: Traits) => ['image/png', 'application/pdf'].filter((type) => files.test(type));

test('a model that sees no pictures is sent none, and still what else its provider takes', () => {
  const traits = { files: IMAGES_AND_PDF, filesInResults: true };
  expect(accepted(traitsOf(traits, {}))).toEqual(['image/png', 'application/pdf']);
  expect(accepted(traitsOf(traits, { seesNoPictures: true }))).toEqual(['application/pdf']);
  expect(accepted(traitsOf({ ...traits, files: IMAGES_ONLY }, { seesNoPictures: true }))).toEqual([]);
});
