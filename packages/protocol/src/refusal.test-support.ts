// What tests say about refusals: the code and the text that the caller is told.

import { RegistryError } from './registry-error.js';

/** Runs an action that must be refused and returns `code: message`. */
export function refusalOf(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    if (error instanceof RegistryError) return error.toString();
    throw error;
  }
  throw new Error('nothing was refused');
}
