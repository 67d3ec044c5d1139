// A reporter of Vitest for `npm test`. The report in JSON names no file that could not be loaded and no error that no test
// waited for, although both make the run fail; and in the log they stand thousands of lines above its end. This one writes
// everything that failed to the file that VITRINE_FAILURES names, as a list of texts.
import { writeFileSync } from 'node:fs';

const first = (errors) => errors[0]?.stack ?? errors[0]?.message ?? 'no error was given';

export default class FailuresReporter {
  onTestRunEnd(modules, unhandledErrors) {
    const failures = [];
    for (const module of modules) {
      const file = module.relativeModuleId;
      if (module.errors().length > 0) failures.push(`${file}: ${first(module.errors())}`);
      for (const suite of module.children.allSuites())
        if (suite.errors().length > 0) failures.push(`${file} > ${suite.fullName}: ${first(suite.errors())}`);
      for (const test of module.children.allTests('failed'))
        failures.push(`${file} > ${test.fullName}: ${first(test.result().errors)}`);
    }
    for (const error of unhandledErrors)
      failures.push(`An error that no test waited for: ${error.stack ?? error.message}`);
    writeFileSync(process.env.VITRINE_FAILURES, JSON.stringify(failures));
  }
}
