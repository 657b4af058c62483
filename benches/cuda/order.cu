// CUB and cuSPARSE on the data of `order-bench`, for the columns beside it in docs/performance.md:
//
//   nvcc -O3 -std=c++17 -arch=native -o order benches/cuda/order.cu -lcusparse && ./order
//
// Each line is the median of 15 runs, in milliseconds between two events, after one run that is not counted.
// Results are checked. Temporary memory is allocated before.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <vector>

#include <cub/cub.cuh>
#include <cusparse.h>
#include <thrust/iterator/transform_iterator.h>

constexpr int RUNS = 15;

#define CHECK(call)                                                                                          \
    do {                                                                                                     \
        const int status = static_cast<int>(call);                                                           \
        if (status != 0) {                                                                                   \
            std::fprintf(stderr, "%s:%d: error %d\n", __FILE__, __LINE__, status);                           \
            std::exit(1);                                                                                    \
        }                                                                                                    \
    } while (0)

/// An array on the device.
template <typename T>
struct Array {
    T *at = nullptr;
    size_t length;

    explicit Array(size_t length) : length(length) { CHECK(cudaMalloc(&at, std::max(length, size_t{1}) * sizeof(T))); }
    explicit Array(const std::vector<T> &host) : Array(host.size()) {
        CHECK(cudaMemcpy(at, host.data(), length * sizeof(T), cudaMemcpyHostToDevice));
    }
    Array(const Array &) = delete;
    ~Array() { cudaFree(at); }

    std::vector<T> host() const {
        std::vector<T> host(length);
        CHECK(cudaMemcpy(host.data(), at, length * sizeof(T), cudaMemcpyDeviceToHost));
        return host;
    }
};

/// The median time of some work.
template <typename Work>
float median(Work work) {
    cudaEvent_t begin, end;
    CHECK(cudaEventCreate(&begin));
    CHECK(cudaEventCreate(&end));
    std::vector<float> times;
    for (int run = 0; run <= RUNS; run += 1) {
        CHECK(cudaEventRecord(begin));
        CHECK(work());
        CHECK(cudaEventRecord(end));
        CHECK(cudaEventSynchronize(end));
        float time;
        CHECK(cudaEventElapsedTime(&time, begin, end));
        times.push_back(time);
    }
    times.erase(times.begin());
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
}

/// The same for a function of CUB, which first says how much memory it needs.
template <typename Work>
float median_of_cub(Work work) {
    size_t bytes = 0;
    CHECK(work(nullptr, bytes));
    Array<uint8_t> memory(bytes);
    return median([&] { return work(memory.at, bytes); });
}

void print(const char *name, size_t elements, float time, bool is_right) {
    std::printf(is_right ? "| %s | %zu | %.3f |\n" : "| %s | %zu | %.3f, wrong |\n", name, elements, time);
}

struct IsEven {
    __device__ bool operator()(uint32_t x) const { return x % 2 == 0; }
};

struct LowBits {
    __device__ int operator()(uint32_t x) const { return static_cast<int>(x % 1024); }
};

void orders(size_t n) {
    std::vector<uint32_t> words(n);
    std::vector<uint8_t> bytes(n);
    for (size_t i = 0; i < n; i += 1) {
        const uint32_t place = static_cast<uint32_t>(i), mixed = (place ^ place >> 7) * 0x9e3779b9u;
        words[i] = mixed << 11 | mixed >> 21;
        bytes[i] = static_cast<uint8_t>(words[i] >> 9);
    }
    const Array<uint32_t> keys(words);
    const Array<uint8_t> narrow(bytes);
    const int items = static_cast<int>(n);
    std::vector<int> expected(256, 0);
    for (uint8_t byte : bytes) expected[byte] += 1;
    {
        Array<int> counts(256);
        const float time = median_of_cub([&](void *memory, size_t &size) {
            return cub::DeviceHistogram::HistogramEven(memory, size, narrow.at, counts.at, 257, 0, 256, items);
        });
        print("histogram of bytes, 256 bins", n, time, counts.host() == expected);
    }
    expected.assign(1024, 0);
    for (uint32_t word : words) expected[word % 1024] += 1;
    {
        Array<int> counts(1024);
        const auto low = thrust::make_transform_iterator(keys.at, LowBits());
        const float time = median_of_cub([&](void *memory, size_t &size) {
            return cub::DeviceHistogram::HistogramEven(memory, size, low, counts.at, 1025, 0, 1024, items);
        });
        print("histogram of words, 1024 bins", n, time, counts.host() == expected);
    }
    const auto even = std::count_if(words.begin(), words.end(), [](uint32_t x) { return x % 2 == 0; });
    Array<uint32_t> out(n), positions(n), order(n);
    Array<int> count(1);
    const float kept = median_of_cub([&](void *memory, size_t &size) {
        return cub::DevicePartition::If(memory, size, keys.at, out.at, count.at, items, IsEven());
    });
    print("filter, half of them", n, kept, count.host()[0] == even);
    std::vector<uint32_t> sorted = words;
    std::sort(sorted.begin(), sorted.end());
    const float time = median_of_cub([&](void *memory, size_t &size) {
        return cub::DeviceRadixSort::SortKeys(memory, size, keys.at, out.at, items);
    });
    print("sort", n, time, out.host() == sorted);
    std::vector<uint32_t> ordered(n);
    std::iota(ordered.begin(), ordered.end(), 0u);
    CHECK(cudaMemcpy(positions.at, ordered.data(), n * sizeof(uint32_t), cudaMemcpyHostToDevice));
    std::stable_sort(ordered.begin(), ordered.end(), [&](uint32_t a, uint32_t b) { return words[a] < words[b]; });
    const float pairs = median_of_cub([&](void *memory, size_t &size) {
        return cub::DeviceRadixSort::SortPairs(memory, size, keys.at, out.at, positions.at, order.at, items);
    });
    print("argsort", n, pairs, order.host() == ordered);
}

/// A matrix in compressed rows.
struct Matrix {
    std::vector<int> offsets{0}, columns;

    size_t rows() const { return offsets.size() - 1; }
    void end_row() { offsets.push_back(static_cast<int>(columns.size())); }
};

Matrix five_points(size_t side) {
    Matrix matrix;
    for (size_t point = 0; point < side * side; point += 1) {
        const size_t row = point / side, column = point % side;
        const auto add = [&](bool exists, size_t place) {
            if (exists) matrix.columns.push_back(static_cast<int>(place));
        };
        add(row > 0, point - side);
        add(column > 0, point - 1);
        add(true, point);
        add(column + 1 < side, point + 1);
        add(row + 1 < side, point + side);
        matrix.end_row();
    }
    return matrix;
}

Matrix power_law(size_t rows, bool beside_each_other) {
    Matrix matrix;
    uint32_t state = 1;
    for (size_t row = 0; row < rows; row += 1) {
        state = state * 747796405u + 2891336453u;
        const uint64_t length = (uint64_t{1} << 33) / (uint64_t{state >> 8} * 256 + (1 << 17));
        for (uint32_t k = 0; k < length; k += 1) {
            const uint32_t place = beside_each_other ? static_cast<uint32_t>(row) + k : (state ^ k) * 0x9e3779b9u;
            matrix.columns.push_back(static_cast<int>(place % static_cast<uint32_t>(rows)));
        }
        matrix.end_row();
    }
    return matrix;
}

void sparse_product(const char *name, const Matrix &matrix) {
    const size_t rows = matrix.rows(), elements = matrix.columns.size();
    std::vector<float> values(elements), x(rows);
    for (size_t k = 0; k < elements; k += 1) values[k] = static_cast<float>(k % 7) - 3.0f;
    for (size_t j = 0; j < rows; j += 1) x[j] = static_cast<float>(j % 5);
    Array<int> offsets(matrix.offsets), columns(matrix.columns);
    Array<float> data(values), vector(x), result(rows);
    cusparseHandle_t handle;
    CHECK(cusparseCreate(&handle));
    cusparseSpMatDescr_t a;
    cusparseDnVecDescr_t from, to;
    const auto count = static_cast<int64_t>(rows);
    CHECK(cusparseCreateCsr(&a, count, count, static_cast<int64_t>(elements), offsets.at, columns.at, data.at,
                            CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F));
    CHECK(cusparseCreateDnVec(&from, count, vector.at, CUDA_R_32F));
    CHECK(cusparseCreateDnVec(&to, count, result.at, CUDA_R_32F));
    const float one = 1.0f, zero = 0.0f;
    const auto kind = CUSPARSE_OPERATION_NON_TRANSPOSE;
    for (const auto algorithm : {CUSPARSE_SPMV_CSR_ALG1, CUSPARSE_SPMV_CSR_ALG2}) {
        size_t bytes = 0;
        CHECK(cusparseSpMV_bufferSize(handle, kind, &one, a, from, &zero, to, CUDA_R_32F, algorithm, &bytes));
        Array<uint8_t> memory(bytes);
        const float time = median([&] {
            return cusparseSpMV(handle, kind, &one, a, from, &zero, to, CUDA_R_32F, algorithm, memory.at);
        });
        bool is_right = true;
        const std::vector<float> found = result.host();
        for (size_t row = 0; row < rows; row += 1) {
            float sum = 0.0f;
            for (int k = matrix.offsets[row]; k < matrix.offsets[row + 1]; k += 1) {
                sum += values[k] * x[matrix.columns[k]];
            }
            // All sums are whole numbers that a float holds.
            is_right = is_right && found[row] == sum;
        }
        char line[128];
        const int number = algorithm == CUSPARSE_SPMV_CSR_ALG1 ? 1 : 2;
        std::snprintf(line, sizeof line, "%s, algorithm %d", name, number);
        print(line, elements, time, is_right);
    }
}

int main() {
    const size_t n = size_t{1} << 26;
    std::printf("CUB %d and cuSPARSE, medians of %d runs\n\n", CUB_VERSION, RUNS);
    std::printf("| program | elements | ms |\n| --- | --- | --: |\n");
    orders(n);
    std::printf("\n| sparse product | elements | ms |\n| --- | --- | --: |\n");
    sparse_product("five points of a grid", five_points(4096));
    sparse_product("power law, columns anywhere", power_law(n / 16, false));
    sparse_product("power law, columns beside each other", power_law(n / 16, true));
}
