/* Floating point: a matrix product, bodies that attract each other, a heat equation, statistics, roots, a series, a table
 * that is interpolated, a Mandelbrot set. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>

enum { SIDE = 240, BODIES = 5, STEPS = 300000, CELLS = 2000, SAMPLES = 1000000, IMAGE = 400 };

struct body {
    double x, y, z, vx, vy, vz, mass;
};

static double left[SIDE][SIDE], right[SIDE][SIDE], product[SIDE][SIDE];
static struct body bodies[BODIES];
static double heat[2][CELLS];
static float samples[SAMPLES];
static const double table[] = {0, 0.5, 1.25, 2, 3.5, 6, 9, 13, 20, 31};

static uint32_t seed = 12345;

static double next_random(void)
{
    seed = seed * 1664525 + 1013904223;
    return (seed >> 8) / 16777216.0;
}

static double multiply_matrices(void)
{
    double trace = 0;
    for (int i = 0; i < SIDE; i++)
        for (int j = 0; j < SIDE; j++)
            left[i][j] = next_random(), right[i][j] = next_random() - 0.5;
    for (int i = 0; i < SIDE; i++)
        for (int j = 0; j < SIDE; j++) {
            double sum = 0;
            for (int k = 0; k < SIDE; k++)
                sum += left[i][k] * right[k][j];
            product[i][j] = sum;
        }
    for (int i = 0; i < SIDE; i++)
        trace += product[i][i];
    return trace;
}

static void attract(struct body *a, struct body *b, double step)
{
    double dx = a->x - b->x, dy = a->y - b->y, dz = a->z - b->z;
    double squared = dx * dx + dy * dy + dz * dz + 0.01, force = step / (squared * sqrt(squared));
    a->vx -= dx * b->mass * force, a->vy -= dy * b->mass * force, a->vz -= dz * b->mass * force;
    b->vx += dx * a->mass * force, b->vy += dy * a->mass * force, b->vz += dz * a->mass * force;
}

static double move_bodies(void)
{
    for (int i = 0; i < BODIES; i++)
        bodies[i] = (struct body){next_random(), next_random(), next_random(), 0, 0, 0, 0.5 + next_random()};
    for (int step = 0; step < STEPS; step++) {
        for (int i = 0; i < BODIES; i++)
            for (int j = i + 1; j < BODIES; j++)
                attract(&bodies[i], &bodies[j], 1e-4);
        for (int i = 0; i < BODIES; i++) {
            bodies[i].x += 1e-4 * bodies[i].vx;
            bodies[i].y += 1e-4 * bodies[i].vy;
            bodies[i].z += 1e-4 * bodies[i].vz;
        }
    }
    return bodies[0].x + bodies[1].y + bodies[2].z;
}

static double spread_heat(void)
{
    for (int i = 0; i < CELLS; i++)
        heat[0][i] = i % 100 < 50;
    for (int step = 0; step < 10000; step++) {
        const double *from = heat[step & 1];
        double *to = heat[!(step & 1)];
        to[0] = from[0], to[CELLS - 1] = from[CELLS - 1];
        for (int i = 1; i + 1 < CELLS; i++)
            to[i] = from[i] + 0.2 * (from[i - 1] - 2 * from[i] + from[i + 1]);
    }
    return heat[0][CELLS / 3];
}

static float describe_samples(void)
{
    float mean = 0, variance = 0, greatest = -1;
    for (int i = 0; i < SAMPLES; i++) {
        samples[i] = (float)(next_random() + next_random());
        float delta = samples[i] - mean;
        mean += delta / (float)(i + 1);
        variance += delta * (samples[i] - mean);
        greatest = samples[i] > greatest ? samples[i] : greatest;
    }
    return mean + variance / SAMPLES + greatest;
}

static double find_roots(void)
{
    double sum = 0;
    for (int i = 1; i < 300000; i++) {
        double guess = i;
        for (int step = 0; step < 20 && fabs(guess * guess - i) > 1e-9 * i; step++)
            guess = 0.5 * (guess + i / guess);
        sum += guess;
    }
    return sum;
}

static double interpolate(void)
{
    double sum = 0;
    for (int i = 0; i < 2000000; i++) {
        double x = 9 * next_random();
        int at = (int)x;
        sum += table[at] + (x - at) * (table[at + 1] - table[at]);
    }
    return sum;
}

static int draw_set(void)
{
    int inside = 0;
    for (int row = 0; row < IMAGE; row++)
        for (int column = 0; column < IMAGE; column++) {
            double a = column * 3.0 / IMAGE - 2, b = row * 2.0 / IMAGE - 1, x = 0, y = 0;
            int turn = 0;
            for (; turn < 200 && x * x + y * y < 4; turn++) {
                double next = x * x - y * y + a;
                y = 2 * x * y + b;
                x = next;
            }
            inside += turn == 200;
        }
    return inside;
}

int main(void)
{
    printf("%.9g %.9g %.9g\n", multiply_matrices(), move_bodies(), spread_heat());
    printf("%.6g %.9g %.9g %d\n", (double)describe_samples(), find_roots(), interpolate(), draw_set());
}
