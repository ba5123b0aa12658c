/**
 * What the nodes use of n8n-workflow. n8n brings the module itself, so this repository installs none of it: this file is
 * all that the compiler sees.
 */
declare module 'n8n-workflow' {
  export interface IDataObject {
    [key: string]: unknown;
  }

  export interface IBinaryData {
    [key: string]: unknown;
    data: string;
    mimeType: string;
    fileName?: string;
  }

  export interface INodeExecutionData {
    json: IDataObject;
    binary?: Record<string, IBinaryData>;
    pairedItem?: { item: number } | { item: number }[];
  }

  export interface INode {
    id: string;
    name: string;
    typeVersion: number;
  }

  export interface IHttpRequestOptions {
    method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
    baseURL?: string;
    url: string;
    headers?: Record<string, string>;
    qs?: IDataObject;
    body?: object;
    json?: boolean;
    encoding?: 'stream';
    timeout?: number;
    returnFullResponse?: boolean;
    ignoreHttpStatusErrors?: boolean;
  }

  export interface IN8nHttpFullResponse {
    body: unknown;
    headers: Record<string, string | undefined>;
    statusCode: number;
  }

  interface Helpers {
    httpRequestWithAuthentication(
      this: unknown,
      credentialsType: string,
      options: IHttpRequestOptions,
    ): Promise<IN8nHttpFullResponse>;
  }

  interface Functions {
    getNode(): INode;
    helpers: Helpers;
  }

  export interface IExecuteFunctions extends Functions {
    getInputData(): INodeExecutionData[];
    getNodeParameter(name: string, itemIndex: number, fallback?: unknown): unknown;
    getExecutionId(): string;
    getExecutionCancelSignal(): AbortSignal | undefined;
    continueOnFail(): boolean;
    helpers: Helpers & {
      prepareBinaryData(
        data: NodeJS.ReadableStream | Buffer,
        fileName?: string,
        mimeType?: string,
      ): Promise<IBinaryData>;
      binaryToBuffer(data: NodeJS.ReadableStream | Buffer): Promise<Buffer>;
    };
  }

  export interface ILoadOptionsFunctions extends Functions {
    getCurrentNodeParameter(name: string): unknown;
  }

  export interface IHookFunctions extends Functions {
    getNodeParameter(name: string): unknown;
    getNodeWebhookUrl(name: 'default'): string | undefined;
    getWorkflowStaticData(type: 'node'): IDataObject;
  }

  export interface IWebhookFunctions extends Functions {
    getRequestObject(): { headers: Record<string, string | string[] | undefined>; rawBody?: Buffer };
    getResponseObject(): { status(code: number): { send(body: string): unknown } };
    getWorkflowStaticData(type: 'node'): IDataObject;
  }

  export interface IWebhookResponseData {
    noWebhookResponse?: boolean;
    workflowData?: INodeExecutionData[][];
  }

  export interface INodePropertyOptions {
    name: string;
    value: string;
    description?: string;
    action?: string;
  }

  export interface ResourceMapperField {
    id: string;
    displayName: string;
    required: boolean;
    defaultMatch: boolean;
    display: boolean;
    type?: 'string' | 'number' | 'array' | 'options';
    options?: INodePropertyOptions[];
  }

  export interface INodeProperties {
    displayName: string;
    name: string;
    type: 'string' | 'number' | 'boolean' | 'options' | 'multiOptions' | 'collection' | 'json' | 'resourceMapper';
    default: unknown;
    description?: string;
    hint?: string;
    placeholder?: string;
    required?: boolean;
    noDataExpression?: boolean;
    options?: (INodePropertyOptions | INodeProperties)[];
    displayOptions?: { show: Record<string, unknown[]> };
    typeOptions?: IDataObject;
  }

  export interface INodeTypeDescription {
    displayName: string;
    name: string;
    icon: { light: `file:${string}`; dark: `file:${string}` };
    group: ('output' | 'trigger')[];
    version: number;
    subtitle?: string;
    description: string;
    defaults: { name: string };
    inputs: string[];
    outputs: string[];
    usableAsTool?: true;
    credentials: { name: string; required: boolean }[];
    webhooks?: { name: 'default'; httpMethod: 'POST'; responseMode: 'onReceived'; path: string }[];
    properties: INodeProperties[];
  }

  export interface INodeType {
    description: INodeTypeDescription;
  }

  export interface ICredentialType {
    name: string;
    displayName: string;
    icon: `file:${string}`;
    documentationUrl: string;
    properties: INodeProperties[];
    authenticate(credentials: IDataObject, options: IHttpRequestOptions): Promise<IHttpRequestOptions>;
    test: { request: IHttpRequestOptions };
  }

  export function sleep(ms: number): Promise<void>;

  export const NodeConnectionTypes: { readonly Main: 'main' };

  interface ErrorOptions {
    message?: string;
    description?: string;
    httpCode?: string;
    itemIndex?: number;
  }

  export class NodeApiError extends Error {
    constructor(node: INode, response: IDataObject, options?: ErrorOptions);
    description: string | null;
    httpCode: string | null;
  }

  export class NodeOperationError extends Error {
    constructor(node: INode, error: Error | string, options?: ErrorOptions);
  }
}
