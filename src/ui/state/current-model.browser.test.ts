import { beforeEach, expect, test } from 'vitest';
import { FakeApp } from '../../../test/support/stories/fake-app.ts';
import { FakeSession } from '../../../test/support/stories/fake-session.ts';
import { CurrentModel } from './current-model.svelte.ts';
import { SessionModels } from './session-models.svelte.ts';

let app: FakeApp;
let kept: Map<string, string>;
let ofSessions: SessionModels;
let model: CurrentModel;
let sessionID: string;
let inSettings: boolean;
const you = { provider: 'you', model: 'you' };

const sessionModels = () =>
  new SessionModels(app, {
    get: (key) => kept.get(key) ?? '',
    set: (key, text) => void kept.set(key, text),
  });

beforeEach(() => {
  app = new FakeApp();
  kept = new Map();
  ofSessions = sessionModels();
  sessionID = 'ses_a';
  inSettings = false;
  model = new CurrentModel(app.models, ofSessions, {
    sessionID: () => sessionID,
    workspaceID: () => 'w',
    effort: () => 'high',
    inSettings: () => inSettings,
  });
});

test('a session without a model of its own has the one from Settings', async () => {
  expect(model.choice).toEqual({ provider: 'openai', model: 'gpt-5' });
  await app.models.choose({ provider: 'openai', model: 'gpt-5-mini' });
  expect(model.name).toBe('gpt-5-mini');
});

test('a session in which the person is the model asks the person, until another model is chosen', async () => {
  ofSessions.set('ses_a', you);
  expect(model.isYou).toBe(true);
  sessionID = 'ses_b';
  expect(model.choice).toEqual({ provider: 'openai', model: 'gpt-5' });
  sessionID = 'ses_a';
  await app.models.choose({ provider: 'openai', model: 'gpt-5-mini' });
  expect(model.choice).toEqual({ provider: 'openai', model: 'gpt-5-mini' });
});

test('to choose the same model again counts only in Settings', () => {
  ofSessions.set('ses_a', you);
  app.changes.emit();
  expect(model.choice).toEqual(you);
  inSettings = true;
  app.changes.emit();
  expect(model.choice).toEqual({ provider: 'openai', model: 'gpt-5' });
});

test('the effort is one that the model supports', () => {
  expect(model.effort).toBeNull();
  app.efforts = ['low', 'medium'];
  const other = new CurrentModel(app.models, ofSessions, {
    sessionID: () => 'ses_a',
    workspaceID: () => null,
    effort: () => 'high',
    inSettings: () => false,
  });
  expect(other.effort).toBe('medium');
});

test('a model that was picked for a session is its model after a reload, as long as the person has it', async () => {
  const small = { provider: 'openai', model: 'gpt-5-mini' };
  const session = app.add(new FakeSession('ses_a', 'w', 'A')) as FakeSession;
  const reloaded = async () => {
    const models = sessionModels();
    await models.keep(session);
    return models.of('ses_a', 'w');
  };
  app.savedModels = [small];
  model.pick(small);
  expect(await reloaded()).toEqual(small);
  model.pick(null);
  expect(await reloaded()).toBeUndefined();
  model.pick(small);
  app.savedModels = [];
  expect(await reloaded()).toBeUndefined();
});

test('a model that was picked before there was a session is that of the new one after a reload', async () => {
  const small = { provider: 'openai', model: 'gpt-5-mini' };
  app.savedModels = [small];
  sessionID = '';
  model.pick(small);
  ofSessions.handTo('ses_b');
  const models = sessionModels();
  await models.keep(app.add(new FakeSession('ses_b', 'w', 'B')) as FakeSession);
  expect(models.of('ses_b', 'w')).toEqual(small);
});
