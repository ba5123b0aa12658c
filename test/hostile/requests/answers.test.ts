import { ServiceFixture } from '../../service/service-fixture.ts';
import { ANSWERS_SETTINGS, answersSuite } from './answers-suite.ts';

answersSuite(() => ServiceFixture.start(ANSWERS_SETTINGS));
