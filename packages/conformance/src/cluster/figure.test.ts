import { describe, expect, it } from 'vitest';
import { type Figure, judgeFigure, limitText } from './figure.js';

const figure = (value: Figure['value'], limit: Figure['limit']): Figure => ({ name: 'f', value, unit: 's', limit });

describe('judgeFigure', () => {
  it('takes the limit of the strength', () => {
    const seen = figure(2, { default: 3, strict: 1 });
    expect(judgeFigure(seen, 'default')).toBe('ok');
    expect(judgeFigure(seen, 'strict')).toBe('WRONG');
  });

  it('keeps the default limit where strict has none, and judges nothing without one', () => {
    expect(judgeFigure(figure(4, { default: 3 }), 'strict')).toBe('WRONG');
    expect(judgeFigure(figure(4, { strict: 3 }), 'default')).toBe('told');
    expect(judgeFigure(figure('never', {}), 'strict')).toBe('told');
  });

  it('never lets pass what never came', () => {
    expect(judgeFigure(figure('never', { default: 1e9 }), 'default')).toBe('WRONG');
  });

  it('has a lowest value with strict alone', () => {
    const early = figure(20, { default: 60, strict: 39.5, strictLeast: 29 });
    expect(judgeFigure(early, 'default')).toBe('ok');
    expect(judgeFigure(early, 'strict')).toBe('WRONG');
    expect(limitText(early, 'strict')).toBe('29–39.5 s');
    expect(limitText(early, 'default')).toBe('<= 60 s');
  });
});
