// Why a server cannot have its data directory.

/** `data-dir-locked`: another server has it. `data-dir-unusable`: it can't be created, read or written. */
export type DataDirectoryFault = 'data-dir-locked' | 'data-dir-unusable';

/** Thrown at the start; the message says what was tried, what was found and what to do. */
export class DataDirectoryError extends Error {
  override readonly name = 'DataDirectoryError';
  readonly fault: DataDirectoryFault;

  constructor(fault: DataDirectoryFault, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.fault = fault;
  }
}
