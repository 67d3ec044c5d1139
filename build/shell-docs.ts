import { readFileSync } from 'node:fs';
import { areaNames, areasFolder } from '../scripts/bash-answers.mjs';
import { FAMILIES } from '../guest/shell/commands/registry.ts';
import agreement from '../test/fixtures/shell/agreement.json' with { type: 'json' };
import excused from '../test/fixtures/shell/excused.json' with { type: 'json' };
import oneLiners from '../test/fixtures/shell/oneliners.json' with { type: 'json' };

interface Area {
  readonly recorded: string;
  readonly cases: readonly { readonly script: string }[];
}

/** Returns a table of the commands of each family. */
function commandTables(): string {
  return Object.entries(FAMILIES)
    .map(([family, commands]) => {
      const rows = Object.entries(commands).map(
        ([name, { summary, buffersInput: gathers }]) =>
          `| \`${name}\` | ${summary} | ${gathers ? 'whole' : ''} |`,
      );
      return `### ${family}\n\n| command | | input |\n| --- | --- | --- |\n${rows.join('\n')}`;
    })
    .join('\n\n');
}

/** Returns the text of docs/shell.md, made from the registry of commands and the test suites. */
export function shellDocs(): string {
  const areas = areaNames().map((name) => {
    const area: Area = JSON.parse(readFileSync(new URL(`${name}.json`, areasFolder), 'utf8'));
    return { name, ...area, agreeing: new Map(Object.entries(agreement)).get(name) ?? 0 };
  });
  const all = areas.reduce((sum, { cases }) => sum + cases.length, 0);
  const agreeing = areas.reduce((sum, area) => sum + area.agreeing, 0);
  const rows = areas.map((area) => `| ${area.name} | ${area.cases.length} | ${area.agreeing} |`);
  const excuses = excused.map(({ script, why }) => `- ${code(script)}: ${why}.`);
  return `# The shell of the embedded workspace

<!-- Written by scripts/shell-docs.mjs from the commands and their suites. -->

Bash 5.2 with the usual GNU tools, all of it in the browser. The stages of a pipeline run together, over bytes:
what one writes the next one reads at once, and a stage that nobody reads on from ends.

## Commands

The commands work on their input as it comes; those marked \`whole\` take all of it before they print.

${commandTables()}

A command that is not there answers as in bash, with 127, and a second line names an alternative where there is an honest one.
\`help\` lists the commands, \`COMMAND --help\` tells what a command takes.

## How it is held to bash

Scripts of real use were recorded on ${areas[0]?.recorded ?? 'bash'} with GNU coreutils, gawk, sed, grep, findutils,
diffutils, patch, tar, gzip, zip, jq and bc. Standard output and exit code have to be the same to the byte.
${agreeing} of ${all} cases in ${areas.length} areas agree, besides ${oneLiners.cases.length} one-liners of coding agents that agree or
are excused below.

| area | cases | agree |
| --- | ---: | ---: |
${rows.join('\n')}

## What is excused, and why

${excuses.join('\n')}
`;
}

function code(script: string): string {
  const text = script.replaceAll('\n', '⏎');
  const fence = text.includes('`') ? '``' : '`';
  return `${fence}${text}${fence}`;
}
