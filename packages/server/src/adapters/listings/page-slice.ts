// The part of a listing that a page shows.

import type { Page } from '@rollcall/protocol';

/** Places above this are beyond any listing; 1.4.8 calculates with 32 bits there and ends up on the first page, and so do we. */
const PLACE_MAX = 0x7fffffff;

/** The entries of a page; none past the end. */
export function pageSlice<T>(entries: readonly T[], { pageNo, pageSize }: Page): readonly T[] {
  const start = (pageNo - 1) * pageSize;
  const from = start > PLACE_MAX ? 0 : start;
  return entries.slice(from, from + pageSize);
}
