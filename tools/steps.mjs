// Runs a list of named steps one after the other and counts: each step is one, and so is each test of a step that runs
// Vitest. What a step leaves running is ended with it. The last line says `N passed, N failed` and, with its reasons
// above, how much was skipped.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { root } from './prepare.mjs';

const stopMs = 2_000;
const markName = 'ROLLCALL_STEPS_RUN';
const countReporter = path.join(root, 'tools', 'count-reporter.mjs');

/**
 * @typedef {object} Step
 * @property {string} name
 * @property {string[]} command Program and arguments, run in the folder of the clone.
 * @property {boolean} [vitest] The command takes Vitest's arguments; its tests are counted.
 * @property {number} [limitMs] Longest time; the whole run's limit by default.
 * @property {() => string | undefined} [lacks] Says what this machine lacks for the step, which is then skipped and counted.
 */

/** Runs `steps` within `limitMs` in all, prints results and times, sets the exit code. */
export async function runSteps(steps, { limitMs }) {
  const run = {
    deadline: Date.now() + limitMs,
    scratch: mkdtempSync(path.join(os.tmpdir(), 'rollcall-steps-')),
    mark: '',
    signal: undefined,
  };
  run.mark = path.basename(run.scratch);
  const outcomes = [];
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      run.signal = signal;
      run.stopCurrent?.(`ended by ${signal}`);
    });
  }
  try {
    for (const step of steps) {
      console.log(`\n== ${step.name}`);
      const outcome = await outcomeOf(step, run);
      outcomes.push(outcome);
      console.log(`== ${lineOf(outcome)}`);
    }
  } finally {
    rmSync(run.scratch, { recursive: true, force: true });
  }
  report(outcomes);
}

async function outcomeOf(step, run) {
  const outcome = { step, result: 'passed', reason: '', seconds: 0, tests: { passed: 0, failed: 0, skipped: [] } };
  const lack = step.lacks?.();
  if (lack !== undefined) return { ...outcome, result: 'skipped', reason: lack };
  if (run.signal) return { ...outcome, result: 'failed', reason: `not run: ended by ${run.signal}` };
  if (Date.now() >= run.deadline)
    return { ...outcome, result: 'failed', reason: 'not run: the limit of the whole run is over' };
  const startMs = Date.now();
  const report = path.join(run.scratch, 'tests.json');
  rmSync(report, { force: true });
  const failure = await runCommand(step, report, run);
  if (step.vitest && existsSync(report)) outcome.tests = JSON.parse(readFileSync(report, 'utf8'));
  const missing = step.vitest && !existsSync(report) ? 'no test report was written' : undefined;
  const reason = failure ?? missing;
  return {
    ...outcome,
    seconds: (Date.now() - startMs) / 1000,
    result: reason ? 'failed' : 'passed',
    reason: reason ?? '',
  };
}

// Runs the command as a process group of its own; answers why it failed, or undefined.
async function runCommand(step, report, run) {
  const [program, ...args] = step.command;
  const vitestArgs = step.vitest ? ['--reporter=default', `--reporter=${countReporter}`] : [];
  const child = spawn(program, [...args, ...vitestArgs], {
    cwd: root,
    detached: true,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, [markName]: run.mark, TMPDIR: run.scratch, ROLLCALL_TEST_REPORT: report },
  });
  let stopReason;
  run.stopCurrent = (reason) => {
    stopReason = reason;
    signalGroup(child.pid, 'SIGTERM');
    setTimeout(() => signalGroup(child.pid, 'SIGKILL'), stopMs).unref();
  };
  const limitMs = Math.min(step.limitMs ?? Number.POSITIVE_INFINITY, run.deadline - Date.now());
  const timer = setTimeout(() => run.stopCurrent(`took longer than ${Math.round(limitMs / 1000)} s`), limitMs);
  const exit = await new Promise((resolve) => {
    child.once('error', (error) => resolve(`could not be run: ${error.message}`));
    child.once('exit', (code, signal) => resolve(code === 0 ? undefined : `exit code ${code ?? signal}`));
  });
  clearTimeout(timer);
  run.stopCurrent = undefined;
  await endLeftovers(child.pid, run.mark);
  return stopReason ?? exit;
}

// What the step started and did not end: its process group and, where /proc tells, whatever carries this run's mark.
async function endLeftovers(group, mark) {
  const isAnyLeft = () => signalGroup(group, 0) || markedProcesses(mark).length > 0;
  for (const signal of ['SIGTERM', 'SIGKILL']) {
    signalGroup(group, signal);
    for (const pid of markedProcesses(mark)) signalProcess(pid, signal);
    for (const until = Date.now() + stopMs; Date.now() < until && isAnyLeft(); ) await sleep(50);
    if (!isAnyLeft()) return;
  }
}

function markedProcesses(mark) {
  if (!existsSync('/proc/self/environ')) return [];
  const entry = `${markName}=${mark}`;
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((name) => environmentOf(name).includes(entry))
    .map(Number);
}

function environmentOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  } catch {
    // Ended meanwhile, or another user's.
    return [];
  }
}

const signalGroup = (group, signal) => group !== undefined && signalProcess(-group, signal);

function signalProcess(pid, signal) {
  try {
    return process.kill(pid, signal);
  } catch {
    // Already gone.
    return false;
  }
}

function lineOf({ step, result, reason, seconds, tests }) {
  const counted = step.vitest && result !== 'skipped' ? `, tests: ${tests.passed} passed, ${tests.failed} failed` : '';
  return `${step.name}: ${result} in ${seconds.toFixed(1)} s${counted}${reason ? ` (${reason})` : ''}`;
}

function report(outcomes) {
  const skips = outcomes.flatMap(({ step, result, reason, tests }) => [
    ...(result === 'skipped' ? [`${step.name}: ${reason}`] : []),
    ...tests.skipped,
  ]);
  const count = (result) => outcomes.filter((outcome) => outcome.result === result).length;
  const passed = count('passed') + outcomes.reduce((sum, { tests }) => sum + tests.passed, 0);
  const failed = count('failed') + outcomes.reduce((sum, { tests }) => sum + tests.failed, 0);
  console.log('\n== Steps');
  for (const outcome of outcomes) console.log(lineOf(outcome));
  for (const skip of skips) console.log(`skipped: ${skip}`);
  console.log(`${passed} passed, ${failed} failed${skips.length > 0 ? `, ${skips.length} skipped` : ''}`);
  process.exitCode = failed > 0 ? 1 : 0;
}
