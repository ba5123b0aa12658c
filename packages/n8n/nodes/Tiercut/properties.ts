import type { INodeProperties } from 'n8n-workflow';

/** Where a property is shown. */
function shownFor(resource: string, ...operation: string[]): NonNullable<INodeProperties['displayOptions']> {
  return { show: { resource: [resource], operation } };
}

const PRESETS: INodeProperties = {
  displayName: 'Format Names or IDs',
  name: 'presets',
  type: 'multiOptions',
  typeOptions: { loadOptionsMethod: 'getPresets' },
  default: [],
  description:
    'Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
  hint: 'What is rendered now; the others are rendered when they are downloaded',
};

/** Options of both an export and a batch. */
const SHARED: readonly INodeProperties[] = [
  {
    displayName: 'Callback URL',
    name: 'callback_url',
    type: 'string',
    default: '',
    description: 'Public HTTPS address that is called at the end, such as that of a Webhook node',
  },
  PRESETS,
  {
    displayName: 'Keep for Hours',
    name: 'retention_hours',
    type: 'number',
    typeOptions: { minValue: 1 },
    default: 24,
    description: 'How long the videos are kept after their end',
  },
  {
    displayName: 'Metadata (JSON)',
    name: 'metadata',
    type: 'json',
    default: '{}',
    description: 'Up to 20 pairs of texts that are returned with it',
  },
  {
    displayName: 'Settings (JSON)',
    name: 'settings',
    type: 'json',
    default: '{}',
    description: 'Replaces these settings of the template, such as {"quality": "draft"}',
  },
];

function options(own: readonly INodeProperties[]): INodeProperties[] {
  return [...own, ...SHARED].sort((a, b) => (a.displayName < b.displayName ? -1 : 1));
}

const EXPORT_ID: INodeProperties = {
  displayName: 'Export ID',
  name: 'exportId',
  type: 'string',
  default: '={{ $json.export_id }}',
  required: true,
  displayOptions: shownFor('export', 'delete', 'download', 'get', 'wait'),
};

const PROJECT: INodeProperties = {
  displayName: 'Template Name or ID',
  name: 'project',
  type: 'options',
  typeOptions: { loadOptionsMethod: 'getTemplates' },
  default: '',
  required: true,
  description:
    'Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
  hint: 'The stored project whose fields are filled in',
  displayOptions: { show: { operation: ['create'] } },
};

/** All that a user sets in the node. */
export const PROPERTIES: INodeProperties[] = [
  {
    displayName: 'Resource',
    name: 'resource',
    type: 'options',
    noDataExpression: true,
    default: 'export',
    options: [
      { name: 'Batch', value: 'batch', description: 'A video of each input item' },
      { name: 'Export', value: 'export', description: 'One video in up to three formats' },
    ],
  },
  {
    displayName: 'Operation',
    name: 'operation',
    type: 'options',
    noDataExpression: true,
    default: 'create',
    displayOptions: { show: { resource: ['export'] } },
    options: [
      {
        name: 'Create',
        value: 'create',
        description: 'Render a template with values',
        action: 'Create an export',
      },
      { name: 'Delete', value: 'delete', description: 'Cancel it and remove its files', action: 'Delete an export' },
      { name: 'Download', value: 'download', description: 'Get a video as a file', action: 'Download a video' },
      { name: 'Get', value: 'get', description: 'Get its state now', action: 'Get an export' },
      { name: 'Wait', value: 'wait', description: 'Wait until it is ready', action: 'Wait for an export' },
    ],
  },
  {
    displayName: 'Operation',
    name: 'operation',
    type: 'options',
    noDataExpression: true,
    default: 'create',
    displayOptions: { show: { resource: ['batch'] } },
    options: [
      {
        name: 'Create',
        value: 'create',
        description: 'Render a template once for each input item',
        action: 'Create a batch',
      },
      { name: 'Get', value: 'get', description: 'Get its state now', action: 'Get a batch' },
      {
        name: 'Get Rows',
        value: 'getRows',
        description: 'Get its rows with their exports and errors',
        action: 'Get the rows of a batch',
      },
      { name: 'Wait', value: 'wait', description: 'Wait until all rows have ended', action: 'Wait for a batch' },
    ],
  },
  PROJECT,
  {
    displayName: 'Values',
    name: 'values',
    type: 'resourceMapper',
    noDataExpression: true,
    default: { mappingMode: 'defineBelow', value: null },
    required: true,
    typeOptions: {
      loadOptionsDependsOn: ['project'],
      resourceMapper: {
        resourceMapperMethod: 'getFields',
        mode: 'add',
        fieldWords: { singular: 'field', plural: 'fields' },
        addAllFields: true,
        multiKeyMatch: false,
        supportAutoMap: true,
      },
    },
    description: 'What stands in the fields of the template; a list of items is an array of objects',
    displayOptions: shownFor('export', 'create'),
  },
  EXPORT_ID,
  {
    displayName: 'Format Name or ID',
    name: 'preset',
    type: 'options',
    typeOptions: { loadOptionsMethod: 'getPresets' },
    default: '',
    description:
      'Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
    hint: 'Default: the format that the template selects',
    displayOptions: shownFor('export', 'download'),
  },
  {
    displayName: 'Put Output File in Field',
    name: 'binaryProperty',
    type: 'string',
    default: 'data',
    required: true,
    hint: 'The name of the output binary field to put the file in',
    displayOptions: shownFor('export', 'download'),
  },
  {
    displayName: 'Wait up to Minutes',
    name: 'minutes',
    type: 'number',
    typeOptions: { minValue: 0, maxValue: 1440 },
    default: 30,
    description: 'How long the node waits before it fails; the render goes on',
    displayOptions: { show: { operation: ['download', 'wait'] } },
  },
  {
    displayName: 'Batch ID',
    name: 'batchId',
    type: 'string',
    default: '={{ $json.batch_id }}',
    required: true,
    displayOptions: shownFor('batch', 'get', 'getRows', 'wait'),
  },
  {
    displayName: 'Return All',
    name: 'returnAll',
    type: 'boolean',
    default: false,
    description: 'Whether to return all results or only up to a given limit',
    displayOptions: shownFor('batch', 'getRows'),
  },
  {
    displayName: 'Limit',
    name: 'limit',
    type: 'number',
    typeOptions: { minValue: 1 },
    default: 50,
    description: 'Max number of results to return',
    displayOptions: { show: { ...shownFor('batch', 'getRows').show, returnAll: [false] } },
  },
  {
    displayName: 'Options',
    name: 'options',
    type: 'collection',
    placeholder: 'Add Option',
    default: {},
    displayOptions: shownFor('export', 'create'),
    options: options([
      {
        displayName: 'External ID',
        name: 'external_id',
        type: 'string',
        default: '',
        description: 'Your own ID, which exports return and lists filter by',
      },
      {
        displayName: 'Strict',
        name: 'strict',
        type: 'boolean',
        default: false,
        description: 'Whether warnings, such as a misspelt setting, are errors',
      },
    ]),
  },
  {
    displayName: 'Options',
    name: 'options',
    type: 'collection',
    placeholder: 'Add Option',
    default: {},
    displayOptions: shownFor('batch', 'create'),
    options: options([
      {
        displayName: 'On Error',
        name: 'on_error',
        type: 'options',
        default: 'skip',
        description: 'What happens if an item is wrong',
        options: [
          { name: 'Refuse', value: 'refuse', description: 'Make none' },
          { name: 'Skip', value: 'skip', description: 'Make the others' },
        ],
      },
    ]),
  },
  {
    displayName: 'State',
    name: 'state',
    type: 'options',
    default: '',
    description: 'Only rows in this state',
    displayOptions: shownFor('batch', 'getRows'),
    options: [
      { name: 'Any', value: '' },
      { name: 'Cancelled', value: 'cancelled' },
      { name: 'Completed', value: 'completed' },
      { name: 'Failed', value: 'failed' },
      { name: 'Invalid', value: 'invalid' },
      { name: 'Queued', value: 'queued' },
      { name: 'Rendering', value: 'rendering' },
      { name: 'Waiting', value: 'waiting' },
    ],
  },
];
