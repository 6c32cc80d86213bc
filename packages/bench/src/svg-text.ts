// Pieces of an SVG document as text: everything that comes from outside is escaped here.

/** Colours of contenders in order; told apart by people who see no red and green. */
export const COLOURS = ['#0072b2', '#e69f00', '#009e73', '#cc79a7', '#56b4e9', '#d55e00'] as const;

/** Attributes of an element. */
export type SvgAttributes = Readonly<Record<string, string | number>>;

/** An element without content. */
export function svgElement(name: string, attributes: SvgAttributes): string {
  return `<${name}${attributesText(attributes)}/>`;
}

/** A line of text. */
export function svgText(text: string, attributes: SvgAttributes): string {
  return `<text${attributesText(attributes)}>${escaped(text)}</text>`;
}

/** A whole document on white. */
export function svgDocument(width: number, height: number, parts: readonly string[]): string {
  const size = { width, height, viewBox: `0 0 ${width} ${height}` };
  const root = { xmlns: 'http://www.w3.org/2000/svg', ...size, 'font-family': 'sans-serif', 'font-size': 12 };
  const ground = svgElement('rect', { width, height, fill: '#fff' });
  return `<svg${attributesText(root)}>\n${[ground, ...parts].join('\n')}\n</svg>\n`;
}

function attributesText(attributes: SvgAttributes): string {
  return Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${typeof value === 'number' ? Math.round(value * 100) / 100 : escaped(value)}"`)
    .join('');
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
