import { createHash } from 'node:crypto';
import { type IDataObject, type IExecuteFunctions, type INodeExecutionData, NodeOperationError } from 'n8n-workflow';
import {
  deadlineAfter,
  downloadVideo,
  requestJson,
  selectedPreset,
  waitForBatch,
  waitForExport,
} from '../../requests.ts';
import { fieldsOf } from './template-choices.ts';

/** What an operation makes of one input item. */
type Operation = (context: IExecuteFunctions, itemIndex: number) => Promise<INodeExecutionData[]>;

/** The operations of the node, by resource and operation. */
export const OPERATIONS: Readonly<Record<string, Operation>> = {
  async 'export create'(context, itemIndex) {
    const url = `/projects/${idOf(context, 'project', itemIndex)}/exports`;
    const body = { values: mappedValues(context, itemIndex), ...optionsOf(context, itemIndex) };
    // Without it the response would come when the video is ready.
    const headers = { ...idempotencyKey(context, url, body, itemIndex), prefer: 'respond-async' };
    return asItem(await requestJson(context, { method: 'POST', url, body, headers }, { itemIndex }), itemIndex);
  },
  async 'export delete'(context, itemIndex) {
    const exportId = idOf(context, 'exportId', itemIndex);
    await requestJson(context, { method: 'DELETE', url: `/video/exports/${exportId}` }, { itemIndex });
    return asItem({ deleted: true, export_id: exportId }, itemIndex);
  },
  async 'export download'(context, itemIndex) {
    const exportId = idOf(context, 'exportId', itemIndex);
    const address = `/video/exports/${exportId}`;
    const wait = { ...deadline(context, itemIndex), itemIndex };
    const chosen = String(context.getNodeParameter('preset', itemIndex, ''));
    const preset = chosen === '' ? await selectedPreset(context, address, wait) : chosen;
    const url = `${address}/download/${encodeURIComponent(preset)}`;
    const { body, fileName } = await downloadVideo(context, url, wait);
    const name = String(context.getNodeParameter('binaryProperty', itemIndex));
    const file = await context.helpers.prepareBinaryData(body, fileName ?? `${exportId}.mp4`, 'video/mp4');
    return [{ json: { export_id: exportId, preset }, binary: { [name]: file }, pairedItem: { item: itemIndex } }];
  },
  async 'export get'(context, itemIndex) {
    const url = `/video/exports/${idOf(context, 'exportId', itemIndex)}`;
    return asItem(await requestJson(context, { url }, { itemIndex }), itemIndex);
  },
  async 'export wait'(context, itemIndex) {
    const url = `/video/exports/${idOf(context, 'exportId', itemIndex)}`;
    return asItem(await waitForExport(context, url, { ...deadline(context, itemIndex), itemIndex }), itemIndex);
  },
  async 'batch get'(context, itemIndex) {
    const url = `/batches/${idOf(context, 'batchId', itemIndex)}`;
    return asItem(await requestJson(context, { url }, { itemIndex }), itemIndex);
  },
  async 'batch wait'(context, itemIndex) {
    const url = `/batches/${idOf(context, 'batchId', itemIndex)}`;
    return asItem(await waitForBatch(context, url, { ...deadline(context, itemIndex), itemIndex }), itemIndex);
  },
  async 'batch getRows'(context, itemIndex) {
    const url = `/batches/${idOf(context, 'batchId', itemIndex)}/rows`;
    const returnsAll = context.getNodeParameter('returnAll', itemIndex) === true;
    const most = returnsAll ? Number.POSITIVE_INFINITY : Number(context.getNodeParameter('limit', itemIndex));
    const state = context.getNodeParameter('state', itemIndex, '');
    const rows: IDataObject[] = [];
    for (let cursor: string | null = ''; cursor !== null && rows.length < most; ) {
      const qs = {
        limit: Math.min(100, most - rows.length),
        ...(cursor !== '' && { cursor }),
        ...(state !== '' && { state }),
      };
      const page: RowPage = await requestJson<RowPage>(context, { url, qs }, { itemIndex });
      rows.push(...page.rows);
      cursor = page.next;
    }
    return rows.map((json) => ({ json, pairedItem: { item: itemIndex } }));
  },
};

interface RowPage {
  readonly rows: readonly IDataObject[];
  readonly next: string | null;
}

/** One batch of all input items: the members of each that have the name of a field are a row, and its `video`. */
export async function createBatch(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
  const items = context.getInputData();
  const project = context.getNodeParameter('project', 0);
  const columns = [...Object.keys(await fieldsOf(context, project)), 'video'];
  const rows = items.map(({ json }) => withoutEmpty(pick(json, columns)));
  const body = { project, rows, ...optionsOf(context, 0) };
  const url = '/batches';
  const headers = idempotencyKey(context, url, body, 0);
  const made = await requestJson(context, { method: 'POST', url, body, headers }, { itemIndex: 0 });
  return [{ json: made, pairedItem: items.map((_, item) => ({ item })) }];
}

function asItem(json: IDataObject, item: number): INodeExecutionData[] {
  return [{ json, pairedItem: { item } }];
}

/** An id as a part of an address. */
function idOf(context: IExecuteFunctions, name: string, itemIndex: number): string {
  return encodeURIComponent(String(context.getNodeParameter(name, itemIndex)).trim());
}

function deadline(context: IExecuteFunctions, itemIndex: number): { readonly deadline: number } {
  return { deadline: deadlineAfter(Number(context.getNodeParameter('minutes', itemIndex))) };
}

/** The values of the fields: those of the form, or the members of the item. */
function mappedValues(context: IExecuteFunctions, itemIndex: number): IDataObject {
  const { mappingMode, value, schema } = context.getNodeParameter('values', itemIndex) as {
    readonly mappingMode?: string;
    readonly value?: IDataObject | null;
    readonly schema?: readonly { readonly id: string }[];
  };
  const { json } = context.getInputData()[itemIndex]!;
  if (mappingMode !== 'autoMapInputData') return withoutEmpty(value ?? {});
  const names = schema?.map(({ id }) => id);
  return withoutEmpty(names === undefined ? json : pick(json, names));
}

/** What is empty takes its default. */
function withoutEmpty(values: IDataObject): IDataObject {
  const set = Object.entries(values).filter(([, each]) => each !== null && each !== undefined && each !== '');
  return Object.fromEntries(set);
}

/** Only what the template has a field for: an item often has more. */
function pick(json: IDataObject, names: readonly string[]): IDataObject {
  return Object.fromEntries(names.flatMap((name) => (Object.hasOwn(json, name) ? [[name, json[name]]] : [])));
}

const DOCUMENTS = ['metadata', 'settings'];

/** The options that are set, as members of a request. */
function optionsOf(context: IExecuteFunctions, itemIndex: number): IDataObject {
  const options = context.getNodeParameter('options', itemIndex, {}) as IDataObject;
  const set = Object.entries(options).filter(
    ([, value]) => value !== '' && !(Array.isArray(value) && value.length === 0),
  );
  return Object.fromEntries(
    set.map(([name, value]) => {
      if (!DOCUMENTS.includes(name) || typeof value !== 'string') return [name, value];
      try {
        return [name, JSON.parse(value) as unknown];
      } catch (error) {
        const message = `"${name}" is no JSON: ${(error as Error).message}`;
        throw new NodeOperationError(context.getNode(), message, { itemIndex });
      }
    }),
  );
}

/** The same for another try of this node, so that *Retry On Fail* makes no second video. */
function idempotencyKey(context: IExecuteFunctions, url: string, body: object, itemIndex: number) {
  const sent = createHash('sha256')
    .update(`${url} ${itemIndex} ${JSON.stringify(body)}`)
    .digest('hex');
  return { 'idempotency-key': `n8n-${context.getExecutionId()}-${context.getNode().id}-${sent.slice(0, 16)}` };
}
