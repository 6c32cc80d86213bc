// F20: the list of services in pages. The npm client has no public call for it.
import type { Flow } from '../flow.js';
import type { FlowContext } from '../flow-context.js';

const SERVICES = 5;
const PAGE_SIZE = 2;

/** Five services in pages of two. */
export const f20Raw: Flow = {
  id: 'F20',
  client: 'raw',
  title: '5 services in pages of 2; past the end empty with count 5; page 0 is page 1',
  seconds: 1,
  runs: 'together',
  run: async (context) => {
    const namespaceId = context.uniqueName('ns');
    const names = Array.from({ length: SERVICES }, (_, index) => `page-${index}`);
    for (const serviceName of names)
      await context.api.register({ namespaceId, serviceName, ip: '10.20.0.1', port: '8080' });

    const pages = [await readPage(context, namespaceId, 1), await readPage(context, namespaceId, 2)];
    pages.push(await readPage(context, namespaceId, 3));
    const sizes = pages.map(({ doms }) => doms.length);
    context.require(
      JSON.stringify(sizes) === '[2,2,1]',
      `Sizes of the pages: found ${JSON.stringify(sizes)}, expected [2,2,1]`,
    );
    const listed = pages.flatMap(({ doms }) => doms).toSorted();
    context.require(
      JSON.stringify(listed) === JSON.stringify(names),
      `Services of all pages: found ${JSON.stringify(listed)}, expected ${JSON.stringify(names)}`,
    );

    const beyond = await readPage(context, namespaceId, 4);
    context.require(beyond.doms.length === 0, `Page past the end: found ${JSON.stringify(beyond.doms)}, expected none`);
    for (const { count } of [...pages, beyond])
      context.require(count === SERVICES, `Count: found ${count}, expected 5`);
    const zeroth = await readPage(context, namespaceId, 0);
    const isSame = context.strength === 'real' || JSON.stringify(zeroth) === JSON.stringify(pages[0]);
    context.require(isSame, `Page 0: found ${JSON.stringify(zeroth)}, expected page 1`);
  },
};

interface Page {
  readonly count: number;
  readonly doms: readonly string[];
}

async function readPage(context: FlowContext, namespaceId: string, pageNo: number): Promise<Page> {
  const query = { namespaceId, pageNo: String(pageNo), pageSize: String(PAGE_SIZE) };
  return JSON.parse(await context.api.mustCall({ method: 'GET', path: '/v1/ns/service/list', query })) as Page;
}
