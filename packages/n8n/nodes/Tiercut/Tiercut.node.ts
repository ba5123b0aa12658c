import {
  type IExecuteFunctions,
  type INodeExecutionData,
  type INodeType,
  type INodeTypeDescription,
  NodeApiError,
  NodeConnectionTypes,
  NodeOperationError,
} from 'n8n-workflow';
import { createBatch, OPERATIONS } from './operations.ts';
import { PROPERTIES } from './properties.ts';
import { getFields, getPresets, getTemplates } from './template-choices.ts';

/** Makes videos of stored templates, waits for them and downloads them. */
export class Tiercut implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Tiercut',
    name: 'tiercut',
    icon: { light: 'file:../../tiercut.svg', dark: 'file:../../tiercut.dark.svg' },
    group: ['output'],
    version: 1,
    subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
    description: 'Make tier-list videos of templates',
    defaults: { name: 'Tiercut' },
    inputs: [NodeConnectionTypes.Main],
    outputs: [NodeConnectionTypes.Main],
    usableAsTool: true,
    credentials: [{ name: 'tiercutApi', required: true }],
    properties: PROPERTIES,
  };

  methods = {
    loadOptions: { getTemplates, getPresets },
    resourceMapping: { getFields },
  };

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    const items = this.getInputData();
    const made: INodeExecutionData[] = [];
    for (let itemIndex = 0; itemIndex < items.length; itemIndex += 1) {
      const name = ['resource', 'operation'].map((each) => this.getNodeParameter(each, itemIndex)).join(' ');
      try {
        // A batch is one request, whose rows are all items.
        if (name === 'batch create') return [await createBatch(this)];
        const run = OPERATIONS[name];
        if (run === undefined) throw new NodeOperationError(this.getNode(), `There is no ${name}.`, { itemIndex });
        made.push(...(await run(this, itemIndex)));
      } catch (error) {
        if (!this.continueOnFail()) throw shown(this, error as Error, itemIndex);
        made.push({ json: { error: (error as Error).message }, pairedItem: { item: itemIndex } });
        if (name === 'batch create') break;
      }
    }
    return [made];
  }
}

/** An error as n8n shows it, with the item that it is about. */
function shown(context: IExecuteFunctions, error: Error, itemIndex: number): Error {
  if (error instanceof NodeApiError || error instanceof NodeOperationError) return error;
  return new NodeOperationError(context.getNode(), error, { itemIndex });
}
