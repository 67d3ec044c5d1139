import '../../base/zod-config.ts';
import { mount } from 'svelte';
import { faultOf } from '../../base/fault.ts';
import { readRecording } from '../../session/recording/read.ts';
import { Player } from '../glass/recording/player.svelte.ts';
import { loadMarkdown } from '../kit/markdown/load.svelte.ts';
import { readAbout } from './about.ts';
import ReportPage from './ReportPage.svelte';
import { reportWords } from './report-words.ts';
import '../styles/index.css';

/*
 * The page that is one file with a recording in it: the test kit attaches it to reports. It shows the conversation and the
 * inspector, without a network and without anything that is stored.
 */

const target = document.getElementById('app');
if (target) void show(target);

async function show(target: HTMLElement): Promise<void> {
  try {
    const json = textOf('recording');
    const [recording] = await Promise.all([readRecording(json), loadMarkdown()]);
    const player = new Player(recording);
    // A failure is usually at the end.
    player.seek(player.duration);
    mount(ReportPage, { target, props: { player, about: readAbout(textOf('about')), json } });
  } catch (error) {
    const { what, where } = faultOf(error);
    const problem = document.createElement('p');
    problem.role = 'alert';
    problem.textContent = [reportWords.failed, what, where].filter(Boolean).join(' ');
    target.replaceChildren(problem);
  }
}

function textOf(id: string): string {
  return document.getElementById(id)?.textContent ?? '';
}
