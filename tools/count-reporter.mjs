// Vitest reporter that writes how many tests passed and failed, and why each skipped one was skipped (the note given to
// `context.skip`), to the file that ROLLCALL_TEST_REPORT names. A test file that cannot be loaded counts as a failed test.
import { writeFileSync } from 'node:fs';

/** The reporter; Vitest makes one per run. */
export default class CountReporter {
  onTestRunEnd(testModules) {
    const counts = { passed: 0, failed: 0, skipped: [] };
    for (const testModule of testModules) count(testModule, counts);
    writeFileSync(process.env.ROLLCALL_TEST_REPORT, JSON.stringify(counts));
  }
}

function count(testModule, counts) {
  counts.failed += testModule.errors().length;
  for (const test of testModule.children.allTests()) {
    const { state, note } = test.result();
    if (state === 'passed') counts.passed += 1;
    else if (state === 'failed') counts.failed += 1;
    else counts.skipped.push(`${testModule.relativeModuleId}: ${test.fullName}: ${note ?? 'no reason given'}`);
  }
}
